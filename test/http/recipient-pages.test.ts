import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HOUR_MS } from '../../src/core/model/time-units.ts';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { json, member, send } from '../support/http-client.ts';
import { createLink, TARGET } from '../support/links.ts';
import { startService } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer } from '../support/smtp-server.ts';

const ANN = 'ann@example.com';
const EVE = 'eve@example.com';

async function startWithRecipient(t: TestContext, flags: string[] = []) {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: [...mailFlags(smtp), ...flags] });
  const code = await createLink(service, { verifiedRecipients: [ANN] });
  const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    send(service, `/l/${code}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  return { smtp, service, post };
}

/** Returns the error at the field of a page. */
const errorOf = ({ text }: { text: string }): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];

test('a browser that sends no cookie with a code learns that, also for an address that is not named', async (t) => {
  const { smtp, post } = await startWithRecipient(t);
  const asked = await post({ recipientAddress: ANN });
  const recipientCode = await readMailedCode(smtp, 1);
  const noCookie = TEXTS.en['recipient.code.noCookie'].replace('{minutes}', '10');
  const wrong = TEXTS.en['recipient.code.wrong'].replace('{tries}', '5');
  const right = { recipientAddress: ANN, recipientCode };
  for (const form of [right, { ...right, recipientAddress: EVE }])
    for (const cookie of ['', 'balancer=1']) {
      const refused = await post(form, { cookie });
      assert.deepEqual([refused.status, errorOf(refused)], [401, noCookie]);
      assert.ok(refused.headers['set-cookie'], 'for the next code');
    }
  const [cookie = ''] = String(asked.headers['set-cookie']).split(';');
  assert.equal(errorOf(await post({ ...right, recipientCode: 'x' }, { cookie })), wrong);
  const german = await post(right, { 'accept-language': 'de' });
  assert.match(errorOf(german) ?? '', /kein Cookie .* 10 Minuten/);
  const opened = await post(right, { cookie });
  assert.deepEqual([opened.status, opened.headers.location], [303, TARGET]);
});

test('the page of the limit of codes is about codes, and says in hours when there is another', async (t) => {
  const { service, post } = await startWithRecipient(t, ['--app.limits.recipient-codes=1/PT24H']);
  assert.equal((await post({ recipientAddress: EVE })).status, 401);
  const limited = async (language = 'en', accept = 'text/html') => {
    const response = await post({ recipientAddress: EVE }, { 'accept-language': language, accept });
    assert.equal(response.status, 429);
    assert.equal(response.headers['retry-after'], String((24 * HOUR_MS - passedMs) / 1_000));
    return response;
  };
  let passedMs = 0;
  assert.match((await limited()).text, />Too many codes requested<.*>Try again in 24 hours\.</s);
  for (const [language, hours] of Object.entries({
    ...{ de: 'in 24 Stunden', fr: 'dans 24 heures', es: 'dentro de 24 horas', pt: 'em 24 horas' },
  }))
    assert.ok((await limited(language)).text.includes(hours), language);
  assert.equal(member(json(await limited('en', 'application/json')), 'code'), 'RATE_LIMITED');
  for (const [laterMs, wait] of [
    [22.5 * HOUR_MS, '2 hours'],
    [23 * HOUR_MS, '60 minutes'],
    [23.5 * HOUR_MS, '30 minutes'],
  ] as const) {
    service.clock.now += laterMs - passedMs;
    passedMs = laterMs;
    assert.ok((await limited()).text.includes(`Try again in ${wait}.`), wait);
  }
});

test('a prefetch of the form of an address gets the form again, without an error', async (t) => {
  const { post } = await startWithRecipient(t);
  const prefetched = await post({ recipientAddress: ANN }, { 'sec-purpose': 'prefetch' });
  assert.equal(prefetched.status, 401);
  assert.match(prefetched.text, /name="recipientAddress"/);
  assert.equal(errorOf(prefetched), undefined);
  assert.equal(errorOf(await post({ recipientAddress: 'ann' })), TEXTS.en['recipient.invalid']);
});
