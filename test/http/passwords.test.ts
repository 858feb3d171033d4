import assert from 'node:assert/strict';
import test from 'node:test';
import {
  assertErrorRecord,
  exchange,
  headerBytes,
  type RequestOptions,
  send,
} from '../support/http-client.ts';
import { auditedResults, createLink, linkState, openLink, TARGET } from '../support/links.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const PASSWORD = 'correct horse';
const REFUSALS = { PASSWORD_REQUIRED: 'Password required', INVALID_PASSWORD: 'Invalid password' };
type Case = readonly [result: keyof typeof REFUSALS | 'SUCCESS', options: RequestOptions, query?: string];

test('a protected link takes its password from X-Link-Password alone, and each attempt has one record', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service, { password: PASSWORD });
  const path = `/l/${shortCode}`;
  const encoded = encodeURIComponent(PASSWORD);
  const basic = `Basic ${Buffer.from(`:${PASSWORD}`).toString('base64')}`;
  const inHeader = (value: string) => ({ headers: { 'x-link-password': value } });
  const json = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  };
  const elsewhere = { authorization: PASSWORD, 'x-password': PASSWORD, cookie: `X-Link-Password=${encoded}` };
  const cases: Case[] = [
    ['PASSWORD_REQUIRED', {}],
    ...['', '   ', '\t'].map((blank): Case => ['PASSWORD_REQUIRED', inHeader(blank)]),
    ...['password', 'X-Link-Password', 'x-link-password'].map(
      (name): Case => ['PASSWORD_REQUIRED', {}, `?${name}=${encoded}`],
    ),
    ['PASSWORD_REQUIRED', { headers: elsewhere }],
    ['PASSWORD_REQUIRED', json],
    ...['wrong', `${PASSWORD}x`, `"${PASSWORD}"`, basic, '\u00ff\u00fe', 'x'.repeat(20_000)].map(
      (wrong): Case => ['INVALID_PASSWORD', inHeader(wrong)],
    ),
    ['SUCCESS', inHeader(PASSWORD)],
    ['SUCCESS', { headers: { 'X-LINK-PASSWORD': ` ${PASSWORD} ` } }],
  ];
  for (const [result, options, query = ''] of cases) {
    service.clock.now += 1;
    const response = await send(service, path + query, options);
    assert.equal(auditedResults(service, shortCode).at(-1), result, JSON.stringify(options));
    if (result === 'SUCCESS') assert.equal(response.headers.location, TARGET);
    else assertErrorRecord(response, { status: 401, message: REFUSALS[result], path });
    // A 401 names a way to authenticate (RFC 9110, 15.5.2).
    assert.equal(response.headers['www-authenticate'] !== undefined, result !== 'SUCCESS');
    assert.equal(response.headers['cache-control'], 'no-store');
  }
  assert.equal(auditedResults(service, shortCode).length, cases.length);
  assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 2 });
});

for (const [form, other] of [
  ['NFC', 'NFD'],
  ['NFD', 'NFC'],
] as const)
  test(`a password that is set in ${form} opens in ${other}, as a header and in a form`, async () => {
    const service = await sharedService();
    const password = 'Grüße aus Köln';
    const shortCode = await createLink(service, { password: password.normalize(form) });
    const typed = password.normalize(other).replace(' ', '\u00a0');
    const header = { 'x-link-password': headerBytes(typed) };
    assert.equal((await openLink(service, shortCode, header)).headers.location, TARGET);
    const body = new URLSearchParams({ password: typed }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await send(service, `/l/${shortCode}`, { method: 'POST', headers, body });
    assert.equal(response.headers.location, TARGET);
  });

test('a password that is sent in two headers is one wrong password', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service, { password: PASSWORD });
  const response = await exchange(
    service,
    `GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
      `X-Link-Password: wrong\r\nX-Link-Password: ${PASSWORD}\r\n\r\n`,
  );
  assertErrorRecord(response, { status: 401, message: 'Invalid password', path: `/l/${shortCode}` });
  assert.deepEqual(auditedResults(service, shortCode), ['INVALID_PASSWORD']);
});
