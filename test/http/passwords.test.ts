import assert from 'node:assert/strict';
import test from 'node:test';
import { assertErrorRecord, exchange, headerBytes, send } from '../support/http-client.ts';
import { auditedResults, createLink, linkState, openLink, TARGET } from '../support/links.ts';
import { startService } from '../support/service.ts';

const PASSWORD = 'correct horse';
const REQUIRED = { status: 401, message: 'Password required' };
const INVALID = { status: 401, message: 'Invalid password' };

test('X-Link-Password', async (t) => {
  const service = await startService(t);

  await t.test('a protected link requires its password', async (t) => {
    const shortCode = await createLink(service, { password: PASSWORD });
    const path = `/l/${shortCode}`;
    let attempts = 0;
    const open = (query = '', headers: Record<string, string> = {}) => {
      attempts += 1;
      service.clock.now += 1;
      return send(service, path + query, { headers });
    };
    const lastResult = () => auditedResults(service, shortCode).at(-1);

    for (const headers of [
      {},
      { 'x-link-password': '' },
      { 'x-link-password': '   ' },
      { 'x-link-password': '\t' },
    ]) {
      await t.test(`a missing or blank password is refused: ${JSON.stringify(headers)}`, async () => {
        const response = await open('', headers);
        assertErrorRecord(response, { ...REQUIRED, path });
        assert.ok(
          response.headers['www-authenticate'],
          'a 401 names a way to authenticate (RFC 9110, 15.5.2)',
        );
        assert.equal(response.headers['cache-control'], 'no-store');
        assert.equal(lastResult(), 'PASSWORD_REQUIRED');
      });
    }

    const basic = `Basic ${Buffer.from(`:${PASSWORD}`).toString('base64')}`;
    for (const sent of [
      'wrong',
      `${PASSWORD}x`,
      `"${PASSWORD}"`,
      basic,
      '\u00ff\u00fe',
      'x'.repeat(20_000),
    ]) {
      await t.test(`a wrong password is refused: ${sent.slice(0, 30)}`, async () => {
        const response = await open('', { 'x-link-password': sent });
        assertErrorRecord(response, { ...INVALID, path });
        assert.equal(lastResult(), 'INVALID_PASSWORD');
      });
    }

    await t.test(
      'the password is never read from the URL, the query, another header or a cookie',
      async () => {
        const encoded = encodeURIComponent(PASSWORD);
        for (const query of [
          `?password=${encoded}`,
          `?X-Link-Password=${encoded}`,
          `?x-link-password=${encoded}`,
        ]) {
          assertErrorRecord(await open(query), { ...REQUIRED, path });
        }
        const others = {
          authorization: PASSWORD,
          'x-password': PASSWORD,
          cookie: `X-Link-Password=${encoded}`,
        };
        assertErrorRecord(await open('', others), { ...REQUIRED, path });
      },
    );

    await t.test('the password is never read from the body of a GET', async () => {
      attempts += 1;
      const headers = { 'content-type': 'application/json' };
      const response = await send(service, path, { headers, body: JSON.stringify({ password: PASSWORD }) });
      assertErrorRecord(response, { ...REQUIRED, path });
    });

    await t.test(
      'the right password opens the link, also with white space around the header value',
      async () => {
        assert.equal((await open('', { 'x-link-password': PASSWORD })).headers.location, TARGET);
        assert.equal((await open('', { 'X-LINK-PASSWORD': ` ${PASSWORD} ` })).headers.location, TARGET);
        assert.equal(lastResult(), 'SUCCESS');
      },
    );

    await t.test('each attempt has one audit record, and only the right ones spent a view', () => {
      assert.equal(auditedResults(service, shortCode).length, attempts);
      assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 2 });
    });
  });

  for (const [form, other] of [
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ] as const) {
    await t.test(
      `a password that is set in ${form} opens in ${other}, as a header and in a form`,
      async () => {
        const password = 'Grüße aus Köln';
        const shortCode = await createLink(service, { password: password.normalize(form) });
        const typed = password.normalize(other).replace(' ', '\u00a0');
        const header = { 'x-link-password': headerBytes(typed) };
        assert.equal((await openLink(service, shortCode, header)).headers.location, TARGET);
        const body = new URLSearchParams({ password: typed }).toString();
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const response = await send(service, `/l/${shortCode}`, { method: 'POST', headers, body });
        assert.equal(response.headers.location, TARGET);
      },
    );
  }

  await t.test('a header that is sent twice is one wrong password', async () => {
    const shortCode = await createLink(service, { password: PASSWORD });
    const response = await exchange(
      service,
      `GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `X-Link-Password: wrong\r\nX-Link-Password: ${PASSWORD}\r\n\r\n`,
    );
    assertErrorRecord(response, { ...INVALID, path: `/l/${shortCode}` });
    assert.deepEqual(auditedResults(service, shortCode), ['INVALID_PASSWORD']);
  });
});
