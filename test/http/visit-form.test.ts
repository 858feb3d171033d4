import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import {
  assertErrorRecord,
  exchange,
  json,
  openSocket,
  type RequestOptions,
  send,
  type TestResponse,
} from '../support/http-client.ts';
import {
  auditedResults,
  auditRecords,
  countRows,
  createLink,
  linkState,
  openLink,
  TARGET,
  uploadFile,
} from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const NAVIGATION = 'text/html,application/xhtml+xml,*/*;q=0.8';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PASSWORD = 'gehäim 🗝️ & = + %41';
const LATER = '2026-06-15T13:00:00Z';
const texts = TEXTS.en;
const missing = `role="alert">${texts['password.missing']}</p>`;

const bodyOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

function post(
  service: TestService,
  shortCode: string,
  body: string | Buffer,
  headers = {},
): Promise<TestResponse> {
  service.clock.now += 1; // so that the audit orders them
  return send(service, `/l/${shortCode}`, {
    method: 'POST',
    headers: { ...FORM, accept: NAVIGATION, ...headers },
    body,
  });
}

test('a form runs the same checks as GET in exactly one attempt', async (t) => {
  const service = await startService(t);
  const open = await createLink(service, { password: PASSWORD });
  const expired = await createLink(service, { password: PASSWORD, expiresAt: LATER });
  const right = bodyOf({ password: PASSWORD });
  service.clock.now = Date.parse(LATER) + 1;
  const wrong = texts['password.wrong'];
  const cases: [name: string, code: string, body: string, status: number, result: string, text: string][] = [
    ['the right password', open, right, 303, 'SUCCESS', ''],
    ['a pasted password', open, bodyOf({ password: ` ${PASSWORD}\t` }), 303, 'SUCCESS', ''],
    ['no password', open, '', 401, 'PASSWORD_REQUIRED', missing],
    ['a blank password', open, 'password=%20%09', 401, 'PASSWORD_REQUIRED', missing],
    ['another field', open, 'other=x', 401, 'PASSWORD_REQUIRED', missing],
    ['a wrong password', open, 'password=wrong', 401, 'INVALID_PASSWORD', wrong],
    ['bytes that are not UTF-8', open, 'password=%E4%F6', 401, 'INVALID_PASSWORD', wrong],
    ['a wrong password of an expired link', expired, 'password=x', 401, 'INVALID_PASSWORD', wrong],
    ['a password without a link', 'unknown1', right, 404, 'NOT_FOUND', texts['notice.NOT_FOUND.title']],
  ];
  const client = { 'user-agent': 'form', 'x-forwarded-for': '203.0.113.7' };
  for (const [name, shortCode, body, status, result, pageText] of cases) {
    await t.test(`${name}: ${status}, recorded as ${result}`, async () => {
      const total = countRows(service, 'audit');
      const response = await post(service, shortCode, body, client);
      assert.equal(response.status, status, response.text);
      assert.ok(response.text.includes(pageText), response.text);
      assert.equal(response.headers.location, status === 303 ? TARGET : undefined);
      assert.equal(response.headers['cache-control'], 'no-store');
      if (status === 303) assert.equal(response.headers['referrer-policy'], 'no-referrer');
      const record = { result, userAgent: 'form', ipAddress: '203.0.113.7' };
      assert.partialDeepStrictEqual(auditRecords(service, shortCode).at(-1), record);
      assert.equal(countRows(service, 'audit'), total + 1);
    });
  }
  await t.test('a blank field is marked only after it was sent', async () => {
    const marked = 'aria-invalid="true" aria-describedby="error"';
    assert.ok((await post(service, open, 'password=')).text.includes(marked));
    const { text } = await openLink(service, open, { accept: NAVIGATION });
    assert.ok(!text.includes(marked) && !text.includes('role="alert"'), text);
  });
  await t.test('a form downloads a file', async () => {
    const fields = { password: PASSWORD };
    const file = await uploadFile(service, 'content', { fileName: 'a.txt', fields });
    const response = await post(service, file, right);
    assert.equal(response.status, 303);
    const { pathname } = new URL(String(response.headers.location), 'http://host/l/');
    const download = await send(service, pathname);
    assert.equal(download.text, 'content');
    assert.equal(download.headers['content-disposition'], 'attachment; filename="a.txt"');
    assert.equal(linkState(service, file).viewCount, 1);
  });
  await t.test('a POST may send the password in the header, and ask for JSON', async () => {
    const headers = { 'x-link-password': Buffer.from(PASSWORD).toString('latin1') };
    assert.equal((await send(service, `/l/${open}`, { method: 'POST', headers })).status, 303);
    const opened = await post(service, open, right, { accept: 'application/json' });
    assert.deepEqual([opened.status, json(opened)], [200, { type: 'REDIRECT', targetUrl: TARGET }]);
    const refused = await post(service, open, 'password=x', { accept: 'application/json' });
    assertErrorRecord(refused, { status: 401, message: 'Invalid password', path: `/l/${open}` });
  });
});

test('a dry run reports whether the link would open, and spends nothing', async () => {
  const service = await sharedService();
  const url = await createLink(service, { password: PASSWORD, maxViews: 1 });
  const file = await uploadFile(service, 'content', { fields: { password: PASSWORD, maxViews: '1' } });
  for (const [shortCode, expected] of [
    [url, { type: 'REDIRECT' }],
    [file, { type: 'DOWNLOAD', sha256: hash('sha256', 'content') }],
  ] as const) {
    const wrong = await post(service, shortCode, bodyOf({ password: 'wrong', ask: 'true' }));
    assert.equal(wrong.status, 401);
    assert.ok(wrong.text.includes(texts['password.wrong']));
    const asked = bodyOf({ password: PASSWORD, ask: 'true' });
    const right = await post(service, shortCode, asked, { accept: '*/*' });
    assert.deepEqual([right.status, json(right)], [200, expected]);
    assert.deepEqual(auditedResults(service, shortCode), ['INVALID_PASSWORD', 'PREVIEW']);
    assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
    const exceptions = json(await send(service, '/api/stats/security/exceptions'));
    assert.ok(JSON.stringify(exceptions).includes(shortCode), 'wrong guesses are counted');
  }
});

test('a protected link shows its file and the views that are left only after the right password', async () => {
  const service = await sharedService();
  const fields = { password: PASSWORD, maxViews: '1' };
  const file = await uploadFile(service, 'content', { fileName: 'salaries.pdf', fields });
  const confirmed = await createLink(service, { password: PASSWORD, maxViews: 1, confirm: true });
  const plain = await createLink(service, { password: PASSWORD, maxViews: 1 });
  const reveals = ({ text }: TestResponse) =>
    ['salaries.pdf', 'example.com', 'Can still be opened once'].filter((part) =>
      text.replaceAll('<wbr>', '').includes(part),
    );
  for (const [shortCode, shown] of [
    [file, ['salaries.pdf', 'Can still be opened once']],
    [confirmed, ['example.com', 'Can still be opened once']],
    [plain, []],
  ] as const) {
    for (const before of [
      bodyOf({ password: 'wrong', ask: 'true' }),
      bodyOf({ password: '', ask: 'true' }),
    ]) {
      const refused = await post(service, shortCode, before);
      assert.deepEqual([refused.status, reveals(refused)], [401, []]);
    }
    const next = await post(service, shortCode, bodyOf({ password: PASSWORD, ask: 'true' }));
    assert.deepEqual([next.status, reveals(next)], [200, shown]);
    assert.equal(next.text.includes('<form method="post" data-now data-load>'), shortCode === file);
    assert.equal(linkState(service, shortCode).viewCount, 0);
    const opened = await post(service, shortCode, bodyOf({ password: PASSWORD }));
    assert.equal(opened.status, 303, 'without the script it opens at once');
  }
});

test('a misspelt field of a form is refused and spends no view, and another unknown one is named', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service, { maxViews: 1 });
  for (const [name, meant] of [
    ['Ask', 'ask'],
    ['asks', 'ask'],
    ['pasword', 'password'],
  ] as const) {
    const refused = await post(service, shortCode, bodyOf({ [name]: 'true' }), { accept: '*/*' });
    const message = `${name}: unknown; did you mean ${meant}`;
    assertErrorRecord(refused, { status: 400, message, path: `/l/${shortCode}` });
  }
  assert.deepEqual(auditedResults(service, shortCode), []);
  const body = bodyOf({ ask: 'true', utm_source: 'mail', ä: '' });
  const dryRun = await post(service, shortCode, body);
  assert.deepEqual([dryRun.status, dryRun.headers['x-ignored-fields']], [200, 'utm_source, %C3%A4']);
  const opened = await post(service, shortCode, bodyOf({ other: '' }));
  assert.deepEqual([opened.status, opened.headers['x-ignored-fields']], [303, 'other']);
  assert.equal((await post(service, shortCode, '')).headers['x-ignored-fields'], undefined);
});

test('a cross-site form is refused, spends nothing, and has one record', async (t) => {
  const service = await startService(t, { flags: ['--app.base-url=https://links.example/go'] });
  const host = new URL(service.url).host;
  const shortCode = await createLink(service, { password: PASSWORD });
  const right = bodyOf({ password: PASSWORD });
  const refused: RequestOptions['headers'][] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: `http://${host}.evil.example` },
    { origin: 'http://links.example' },
  ];
  const views = () => linkState(service, shortCode).viewCount;
  for (const headers of refused) {
    const name = JSON.stringify(headers);
    const before = auditedResults(service, shortCode).length;
    const page = await post(service, shortCode, right, headers);
    assert.equal(page.status, 403, name);
    assert.ok(page.text.includes(texts['notice.CROSS_SITE.title']));
    assert.doesNotMatch(page.text + JSON.stringify(page.headers), /example\.com/);
    assert.deepEqual([auditedResults(service, shortCode).slice(before), views()], [['PREVIEW'], 0], name);
  }
  const [known, unknown] = await Promise.all(
    [shortCode, 'unknown1'].map((code) => post(service, code, right, { 'sec-fetch-site': 'cross-site' })),
  );
  assert.equal(known?.text, unknown?.text, 'the refusal does not depend on the link');
  const record = await post(service, shortCode, right, { origin: 'null', accept: '*/*' });
  const message = 'Cross-site form refused; open the link directly';
  assertErrorRecord(record, { status: 403, message, path: `/l/${shortCode}` });
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://another.example' },
    { origin: `http://${host}` },
    { origin: `https://${host}` },
    { origin: 'https://links.example' },
  ])
    assert.equal((await post(service, shortCode, right, headers)).status, 303, JSON.stringify(headers));
});

test('a body that is not a form is refused, and is not an attempt', async (t) => {
  const service = await sharedService();
  const shortCode = await createLink(service, { password: 'x' });
  const path = `/l/${shortCode}`;
  const expected = 'application/x-www-form-urlencoded';
  const notForm = `Content-Type must be ${expected}`;
  const noEncoding = 'Content-Encoding is not supported; send the body as it is';
  const tooLarge = 'The request body must be at most 32 KB';
  const cases: [body: string, headers: Record<string, string>, status: number, message: string][] = [
    ['{}', { 'content-type': 'application/json' }, 415, notForm],
    ['password=x', { 'content-type': '' }, 415, notForm],
    ['password=x', { 'content-type': 'nonsense' }, 415, notForm],
    ['password=x', { 'content-encoding': 'gzip' }, 415, noEncoding],
    [`password=${'x'.repeat(40_000)}`, {}, 413, tooLarge],
    ['password=x&password=y', {}, 400, 'password: must be given only once'],
  ];
  for (const [body, headers, status, message] of cases) {
    const response = await post(service, shortCode, body, { accept: '*/*', ...headers });
    assertErrorRecord(response, { status, message, path });
  }
  const page = await post(service, shortCode, 'password=x&password=y');
  assert.deepEqual([page.status, page.text.includes(texts['notice.UNREADABLE_FORM.title'])], [400, true]);
  await t.test('a password of the maximum length, with each byte encoded, is accepted', async () => {
    const longest = 'ä'.repeat(4096);
    const locked = await createLink(service, { password: longest });
    assert.equal((await post(service, locked, bodyOf({ password: longest }))).status, 303);
  });
  await t.test('a truncated or malformed body has no record', async () => {
    const socket = await openSocket(service);
    socket.end(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${expected}\r\nContent-Length: 99\r\n\r\npass`,
    );
    await socket
      .resume()
      .toArray()
      .catch(() => []);
    const broken = await exchange(
      service,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${expected}\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`,
    );
    assert.equal(broken.status, 400);
  });
  assert.deepEqual(auditedResults(service, shortCode), [], 'none of these is an attempt');
  assert.deepEqual(
    service.logged().filter(({ msg }) => msg === 'unexpected_error'),
    [],
    'nor a server error',
  );
});

test('a connection stays usable after a form is refused before it is read', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  const body = 'x'.repeat(100_000);
  const first = `POST /l/${shortCode} HTTP/1.1\r\nHost: a\r\nOrigin: null\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const second = `GET /l/${shortCode} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  const { text } = await exchange(service, first + second);
  assert.match(text, /HTTP\/1\.1 302 Found/);
});
