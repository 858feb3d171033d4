import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { HOUR_MS } from '../../src/core/model/time-units.ts';
import {
  json,
  member,
  type RequestOptions,
  send,
  sendJson,
  type TestResponse,
  until,
} from '../support/http-client.ts';
import { shortCodeOf, TARGET, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  mailFlags,
  readMailedCode,
  refusal,
  startSmtpServer,
  type TestSmtpServer,
} from '../support/smtp-server.ts';

const ANN = 'Ann.Smith@example.com';
const BOB = 'bob@example.org';
const EVE = 'Eve.Smith@example.com';
const PASSWORD = 'correct horse';
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const MINUTE = 60_000;

/** The stores, by the flags of a service. */
const STORES: Record<string, (t: TestContext) => Promise<string[]>> = {
  SQLite: async () => [],
  PostgreSQL: async (t) => [`--app.database.url=${(await temporarySchema(t)).url}`],
};

async function startWithMail(t: TestContext, flags: string[] = [], options: SMTPServerOptions = {}) {
  const smtp = await startSmtpServer(t, options);
  const service = await startService(t, { flags: [...mailFlags(smtp), ...flags] });
  return { service, smtp };
}

/** The tokens of the links. */
const tokens = new Map<string, string>();
const ofMaker = (code: string) => ({ 'x-link-token': tokens.get(code) ?? '' });

async function createNamed(service: TestService, members: Record<string, unknown> = {}): Promise<string> {
  const wanted = { targetUrl: TARGET, verifiedRecipients: [ANN, BOB], ...members };
  const created = await sendJson(service, '/api/links', wanted);
  const code = shortCodeOf(created);
  tokens.set(code, String(created.headers['x-link-token']));
  return code;
}

type Visit = { service: TestService; code: string; cookie?: string; headers?: Record<string, string> };

/** Sends the form of a visitor page. */
function post(
  { service, code, cookie, headers }: Visit,
  form: Record<string, string>,
): Promise<TestResponse> {
  const sent = { ...FORM, ...(cookie !== undefined && { cookie }), ...headers };
  const body = new URLSearchParams(form).toString();
  return send(service, `/l/${code}`, { method: 'POST', headers: sent, body });
}

const cookieOf = (response: TestResponse): string =>
  String(response.headers['set-cookie']).split(';')[0] ?? '';

/** Asks for a code. Returns the cookie of the browser, and the code. */
async function ask(
  visit: Visit,
  smtp: TestSmtpServer,
  recipientAddress = ANN,
  more: Record<string, string> = {},
) {
  const before = smtp.mails.length;
  const response = await post(visit, { recipientAddress, ...more });
  assert.equal(response.status, 401, response.text);
  return { cookie: cookieOf(response), recipientCode: await readMailedCode(smtp, before + 1) };
}

type Item = { result: string; recipientAddress?: string; number: number };

async function historyOf(service: TestService, code: string) {
  const history = json(await send(service, `/api/links/${code}/history`, { headers: ofMaker(code) })) as {
    items: Item[];
  };
  const items = history.items.filter(({ result }) => result !== undefined).toReversed();
  return { ...history, results: items.map(({ result, recipientAddress }) => [result, recipientAddress]) };
}

const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

for (const [name, flagsOf] of Object.entries(STORES)) {
  test(`on ${name}, a recipient opens a link with its password and a code from the mailbox, without JavaScript`, async (t) => {
    const { service, smtp } = await startWithMail(t, await flagsOf(t));
    const code = await createNamed(service, { password: PASSWORD });
    const visit = { service, code };
    assert.match(
      (await send(service, `/l/${code}`, { headers: { accept: 'text/html' } })).text,
      /name="password"/,
    );
    const asked = await post(visit, { password: PASSWORD });
    assert.equal(asked.status, 401);
    assert.match(asked.text, /name="recipientAddress"/);
    assert.match(asked.text, new RegExp(`type="hidden" name="password" value="${PASSWORD}"`));
    assert.doesNotMatch(asked.text, /example\.com\/path/);
    const sent = await post(visit, { password: PASSWORD, recipientAddress: 'ann.smith@EXAMPLE.com' });
    assert.equal(sent.status, 401);
    assert.match(sent.text, /name="recipientCode"/);
    assert.match(sent.text, /<bdi>ann\.<wbr>smith@<wbr>example\.<wbr>com<\/bdi>/, 'a typing error shows');
    assert.match(sent.text, /a code is on its way/);
    // Without a path: a proxy may remove a part of the address.
    assert.match(
      String(sent.headers['set-cookie']),
      /^postern-recipient=[0-9a-f]{32}; Max-Age=87000; HttpOnly; SameSite=Lax$/, // as long as a code and a download
    );
    const recipientCode = await readMailedCode(smtp, 1);
    const wrong = await post(
      { ...visit, cookie: cookieOf(sent) },
      { password: PASSWORD, recipientAddress: ANN, recipientCode: other(recipientCode) },
    );
    assert.doesNotMatch(wrong.text, /a code is on its way/);
    assert.match(
      wrong.text,
      /only sent to addresses that the sender allows.*<bdi>Ann\.<wbr>Smith@/s,
      'a typing error still shows',
    );
    assert.match(
      wrong.text,
      /the address is not the right one. Check the code and the address, or request a new code/,
    );
    assert.deepEqual(smtp.mails[0]?.to, [ANN]);
    assert.doesNotMatch(
      smtp.mails[0]?.message ?? '',
      /https?:|href/,
      'scanners of mail find nothing to open',
    );
    const cookie = cookieOf(sent);
    const proof = { recipientAddress: ANN, recipientCode };
    const withoutPassword = await post({ ...visit, cookie }, proof);
    assert.match(withoutPassword.text, /name="password"/);
    const opened = await post({ ...visit, cookie }, { password: PASSWORD, ...proof });
    assert.equal(opened.status, 303);
    assert.equal(opened.headers.location, TARGET);
    const again = await post({ ...visit, cookie }, { password: PASSWORD, ...proof });
    assert.equal(again.status, 401, 'a code opens a link once');
    assert.match(again.text, /already used/);
    const { results, items } = await historyOf(service, code);
    assert.deepEqual(results, [
      ['PASSWORD_REQUIRED', undefined],
      ['RECIPIENT_REQUIRED', undefined],
      ['RECIPIENT_REQUIRED', ANN],
      ['INVALID_RECIPIENT', ANN],
      ['PASSWORD_REQUIRED', undefined],
      ['SUCCESS', ANN],
      ['INVALID_RECIPIENT', ANN],
    ]);
    await service.dispatcher?.tick();
    await service.dispatcher?.settled();
    await until(() => smtp.mails.length === 2);
    const receipt = smtp.mails[1];
    assert.deepEqual(receipt?.to, [ANN]);
    const view = items.find(({ result }) => result === 'SUCCESS') ?? assert.fail();
    const text = (receipt?.message ?? '').replaceAll('=\r\n', '');
    const [, kept = ''] = /Fingerprint of this entry: ([0-9a-f]{64})/.exec(text) ?? [];
    assert.ok(kept !== '' && text.includes(`entry ${view.number} `), text);
  });

  test(`on ${name}, of many requests with one code, one opens the link`, async (t) => {
    const { service, smtp } = await startWithMail(t, await flagsOf(t));
    const visit = { service, code: await createNamed(service) };
    const { cookie, recipientCode } = await ask(visit, smtp);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => post({ ...visit, cookie }, { recipientAddress: ANN, recipientCode })),
    );
    assert.deepEqual(all.map(({ status }) => status).sort(), [303, ...Array(19).fill(401)]);
  });

  test(`on ${name}, a code takes five wrong tries, also at once, and ends after ten minutes`, async (t) => {
    const { service, smtp } = await startWithMail(t, await flagsOf(t));
    const visit = { service, code: await createNamed(service) };
    for (const tries of [4, 5]) {
      const { cookie, recipientCode } = await ask(visit, smtp);
      const wrong = { recipientAddress: ANN, recipientCode: other(recipientCode) };
      await Promise.all(Array.from({ length: tries }, () => post({ ...visit, cookie }, wrong)));
      const right = await post({ ...visit, cookie }, { recipientAddress: ANN, recipientCode });
      assert.equal(right.status, tries < 5 ? 303 : 401);
    }
    const { cookie, recipientCode } = await ask(visit, smtp);
    service.clock.now += 10 * MINUTE;
    assert.equal((await post({ ...visit, cookie }, { recipientAddress: ANN, recipientCode })).status, 401);
    service.clock.now += 1;
    assert.equal(await service.stores.store.deleteEndedCodes(service.clock.now, 10), 2);
  });
}

test('a code is of one link, address and browser, and a new one replaces it', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const [one, two] = [await createNamed(service), await createNamed(service)];
  const visit = { service, code: one };
  const first = await ask(visit, smtp);
  const proofOf = ({ recipientCode }: { recipientCode: string }) => ({
    recipientAddress: ANN,
    recipientCode,
  });
  const proof = proofOf(first);
  const elsewhere = await ask(visit, smtp); // another browser, which has a code of its own
  for (const [what, refused] of Object.entries({
    'without a cookie': post(visit, proof),
    'another browser': post({ ...visit, cookie: elsewhere.cookie }, proof),
    'another link': post({ service, code: two, cookie: first.cookie }, proof),
    'another address': post({ ...visit, cookie: first.cookie }, { ...proof, recipientAddress: BOB }),
  }))
    assert.equal((await refused).status, 401, what);
  const origin = service.url.replace('http:', 'https:'); // as a browser sends it with a form
  const overTls = await post({ ...visit, headers: { origin } }, { recipientAddress: BOB });
  assert.match(String(overTls.headers['set-cookie']), /; HttpOnly; SameSite=Lax; Secure$/);
  await readMailedCode(smtp, 3);
  const second = await ask({ ...visit, cookie: first.cookie }, smtp);
  assert.equal(second.cookie, first.cookie, 'the browser keeps its secret');
  const replaced = await post({ ...visit, cookie: first.cookie }, proof);
  if (first.recipientCode !== second.recipientCode) assert.equal(replaced.status, 401);
  const prefetch = { 'sec-purpose': 'prefetch' };
  const prefetched = await post({ ...visit, cookie: first.cookie, headers: prefetch }, proofOf(second));
  assert.equal(prefetched.status, 401, 'also with the right code');
  const typed = `${second.recipientCode.slice(0, 3)} ${second.recipientCode.slice(3)}`;
  const opened = await post({ ...visit, cookie: first.cookie }, { ...proof, recipientCode: typed });
  assert.equal(opened.status, 303, 'with a space, as people type it');
});

test('an address that is not named gets the same response by the same work, and no mail', async (t) => {
  let connections = 0;
  const onConnect: SMTPServerOptions['onConnect'] = (_, callback) => {
    connections++;
    callback();
  };
  const { service, smtp } = await startWithMail(t, [], { onConnect });
  const visit = { service, code: await createNamed(service) };
  const named = await post(visit, { recipientAddress: ANN });
  await service.codesSettled();
  const stranger = await post(visit, { recipientAddress: EVE });
  await service.codesSettled();
  assert.equal(connections, 2, 'both connect to the mail server');
  const normal = ({ text }: TestResponse) => text.replaceAll(/(?:Ann|Eve)(\.(?:<wbr>)?Smith)/g, 'X$1');
  assert.equal(stranger.status, named.status);
  assert.equal(normal(stranger), normal(named));
  const shape = ({
    headers: { date: _, 'x-correlation-id': _id, 'set-cookie': cookie, ...headers },
  }: TestResponse) => ({
    ...headers,
    cookie: String(cookie).replace(/=[0-9a-f]{32}/, '=…'),
  });
  assert.deepEqual(shape(stranger), shape(named));
  const code = await readMailedCode(smtp, 1);
  for (const recipientCode of ['none sent', 'none typed', other(code), 'x', '']) {
    const [wrong, guessed] = await Promise.all([
      post({ ...visit, cookie: cookieOf(named) }, { recipientAddress: ANN, recipientCode }),
      post({ ...visit, cookie: cookieOf(stranger) }, { recipientAddress: EVE, recipientCode }),
    ]);
    assert.deepEqual([wrong.status, guessed.status], [401, 401]);
    assert.equal(normal(guessed), normal(wrong));
    assert.deepEqual(shape(guessed), shape(wrong));
  }
  await service.codesSettled();
  assert.deepEqual(
    smtp.mails.flatMap(({ to }) => to),
    [ANN, ANN],
  );
  const ended = service.clock.now + HOUR_MS;
  assert.equal(await service.stores.store.deleteEndedCodes(ended, 10), 2, 'each browser has a row');
  const { results } = await historyOf(service, visit.code);
  assert.ok(!JSON.stringify(results).includes('Eve'), 'the history names no stranger');
});

/** What the links of these tests have. A random id can have the digits of a size, but not as a word. */
const SECRETS = /quill|sonnet|bob@|\b54(?:[.,]3|321\b)|\b108(?:[.,]6|642\b)/i;

/** Creates links of each kind, all with two named recipients. Returns their short codes. */
async function createEachKind(service: TestService): Promise<Record<string, string>> {
  const named = fields({ verifiedRecipients: `${ANN},${BOB}` });
  const [one, two] = ['quill', 'sonnet'].map((name) => file(name.padEnd(54_321), `${name}.txt`));
  if (!one || !two) return assert.fail();
  const sendFiles = async (...parts: (typeof one)[]) =>
    shortCodeOf(await sendForm(service, [...named, ...parts]));
  return {
    'a set of files': await sendFiles(one, two),
    'a file': await sendFiles(one),
    'a text': await createNamed(service, { targetUrl: undefined, text: 'quill'.padEnd(54_321, '.') }),
    'a URL': await createNamed(service, { targetUrl: 'https://quill.example/', confirm: true }),
  };
}

test('without a code, no request gets a byte, a name or a size of a link that names its recipients', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const browser = { accept: 'text/html' };
  const form = (members: Record<string, string>, more = {}) => ({
    ...{ method: 'POST', headers: { ...FORM, ...more }, body: new URLSearchParams(members).toString() },
  });
  const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0' };
  type Sent = RequestOptions & { path?: string; status?: number };
  for (const [kind, code] of Object.entries(await createEachKind(service))) {
    const { cookie } = await ask({ service, code }, smtp);
    const requests: Record<string, Sent> = {
      'a browser': { headers: browser },
      'a program': { headers: { accept: 'application/json' } },
      curl: { headers: { 'user-agent': 'curl/8' } },
      HEAD: { method: 'HEAD' },
      OPTIONS: { method: 'OPTIONS', status: 204 },
      'HEAD of tus': { method: 'HEAD', headers: tus },
      'PATCH of tus': { method: 'PATCH', headers: tus, status: 405 },
      'a prefetch': { headers: { 'sec-purpose': 'prefetch' } },
      'a preview of a messenger': { headers: { ...browser, 'user-agent': 'Slackbot-LinkExpanding 1.0' } },
      'a range': { headers: { range: 'bytes=0-3' } },
      'a lease that is unknown': { path: '/lease_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/', status: 404 },
      'a path of it': { path: '/third.txt', status: 404 },
      'a dry run': form({ ask: 'true' }),
      'a dry run of a program': form({ ask: 'true' }, { accept: 'application/json' }),
      'a form': form({ list: 'true' }),
      'a wrong code': form({ recipientAddress: ANN, recipientCode: 'abc' }, { cookie }),
      'a form of another site': { ...form({}, { origin: 'https://evil.example' }), status: 403 },
    };
    for (const [what, { path = '', status = 401, ...options }] of Object.entries(requests)) {
      const response = await send(service, `/l/${code}${path}`, options);
      assert.equal(response.status, status, `${what} of ${kind}`);
      const all = response.text + JSON.stringify(response.headers);
      assert.doesNotMatch(all, SECRETS, `${what} of ${kind}`);
    }
    const described = await send(service, `/api/links/${code}`);
    assert.deepEqual([described.status, member(json(described), 'file')], [200, null]);
    const listed = await send(service, `/api/links/${code}/files`);
    assert.doesNotMatch(described.text + listed.text, SECRETS, kind);
    assert.equal((await send(service, `/api/links/${code}/history`)).status, 401);
  }
});

test('a command is offered in a fold, and not for a download that is bound to the browser of its code', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const OFFER = '<details><summary>Download with a command</summary>';
  const anyone = await uploadFile(service, 'content', { fields: { confirm: 'true' } });
  const offered = await send(service, `/l/${anyone}`, { headers: { accept: 'text/html' } });
  assert.ok(offered.text.includes(OFFER), offered.text);
  const code = await uploadFile(service, 'content', { fields: { verifiedRecipients: ANN, confirm: 'true' } });
  const { cookie, recipientCode } = await ask({ service, code }, smtp);
  const proof = { recipientAddress: ANN, recipientCode };
  const wrong = await post({ service, code, cookie }, { ...proof, recipientCode: 'abcdef' });
  const broken = ANN.replace('@', '@<wbr>').replaceAll('.', '.<wbr>');
  assert.ok(wrong.text.includes(`<bdi>${broken}</bdi>`), 'an address breaks after its punctuation');
  const confirmation = await post({ service, code, cookie }, { ...proof, ask: 'true' });
  assert.ok(confirmation.text.includes('Download file'), confirmation.text);
  assert.ok(!confirmation.text.includes('Download with a command'), confirmation.text);
});

test('a form takes 50 addresses of 252 characters', async (t) => {
  const { service } = await startWithMail(t);
  const addresses = Array.from({ length: 50 }, (_, index) => `${10 + index}@${'d.'.repeat(121)}example`);
  await uploadFile(service, 'content', { fields: { verifiedRecipients: addresses.join(', ') } });
});

test('a recipient gets a set of files with a code, part by part under one view', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const parts = [
    ...fields({ verifiedRecipients: ANN, maxViews: '1' }),
    file('first', 'a.txt'),
    file('second', 'b.txt'),
  ];
  const code = shortCodeOf(await sendForm(service, parts));
  const { cookie, recipientCode } = await ask({ service, code }, smtp);
  const visit = { service, code, cookie };
  const proof = { recipientAddress: ANN, recipientCode };
  const confirmation = await post(visit, { ...proof, ask: 'true' });
  assert.equal(confirmation.status, 200, 'the dry run spends neither a view nor the code');
  const opened = await post(visit, { ...proof, list: 'true' });
  assert.equal(opened.status, 303);
  const page = new URL(String(opened.headers.location), `${service.url}/l/${code}`).pathname;
  const list = await send(service, page, { headers: { accept: 'text/html', cookie } });
  const [, href = ''] = /href="([^"]*a\.txt)"/.exec(list.text) ?? [];
  const part = new URL(href, service.url + page).pathname;
  assert.equal((await send(service, part, { headers: { cookie } })).text, 'first');
  // The address of the lease is the secret of this download: neither the link nor the cookie leads to it.
  for (const headers of [{}, { cookie }, { range: 'bytes=0-' }])
    assert.equal((await send(service, `/l/${code}`, { headers })).status, 401);
});

/** The first bytes of a PNG, which a page shows. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

test('the download of a recipient continues only in the browser that confirmed the address', async (t) => {
  const { service, smtp } = await startWithMail(t, ['--app.limits.unknown-codes=1000/PT1M']);
  const parts = {
    'a file': [file('quill'.padEnd(54_321), 'quill.txt')],
    'a set': [file('quill'.padEnd(54_321), 'quill.txt'), file('sonnet'.padEnd(54_321), 'sonnet.txt')],
    'a picture': [...fields({ viewable: 'true' }), file(PNG, 'quill.png')],
  };
  for (const [kind, sent] of Object.entries(parts)) {
    const named = fields({ verifiedRecipients: `${ANN},${BOB}`, maxViews: '1' });
    const code = shortCodeOf(await sendForm(service, [...named, ...sent]));
    const { cookie, recipientCode } = await ask({ service, code }, smtp);
    const proof = { recipientAddress: ANN, recipientCode };
    const opened = await post({ service, code, cookie }, { ...proof, list: 'true' });
    const page = new URL(String(opened.headers.location), `${service.url}/l/${code}`).pathname;
    const token = page.split('/').at(-2) ?? '';
    const unknown = token.replace(/.{32}$/, 'A'.repeat(32));
    const { cookie: foreign } = await ask({ service, code }, smtp, BOB);
    const html = { accept: 'text/html' };
    type Asked = RequestOptions & { path?: string };
    const requests: Record<string, Asked> = {
      'the page': { headers: html },
      'the page, for a program': { headers: { accept: 'application/json' } },
      'the page, as text': { headers: { accept: 'text/plain' } },
      'the next page': { path: '?page=2', headers: html },
      'the whole file': { path: 'x' },
      'a part of a set': { path: '2/x' },
      'what a page shows': { path: 'view/x' },
      HEAD: { path: 'x', method: 'HEAD' },
      'HEAD of a range': { path: 'x', method: 'HEAD', headers: { range: 'bytes=1-' } },
      'a range': { path: 'x', headers: { range: 'bytes=1-3' } },
      'a range of a part': { path: '1/x', headers: { range: 'bytes=1-3' } },
      'a range beyond the end': { path: 'x', headers: { range: 'bytes=999999-' } },
      'a wrong condition': { path: 'x', headers: { 'if-match': '"other"' } },
      'a prefetch': { path: 'x', headers: { 'sec-purpose': 'prefetch' } },
    };
    for (const [what, { path = '', headers, ...options }] of Object.entries(requests))
      for (const other of [undefined, foreign, 'postern-recipient=', `postern-recipient=${'0'.repeat(32)}`]) {
        const request = (lease: string) =>
          send(service, `/l/${code}/${lease}/${path}`, {
            ...options,
            headers: { ...headers, ...(other !== undefined && { cookie: other }) },
          });
        const [refused, never] = [await request(token), await request(unknown)];
        const name = `${what} of ${kind} with ${other}`;
        assert.equal(refused.status, 404, name);
        assert.doesNotMatch(refused.text + JSON.stringify(refused.headers), SECRETS, name);
        const same = (response: TestResponse, lease: string) =>
          response.text.replaceAll(lease, '').replace(/"timestamp":"[^"]+"/, '');
        assert.equal(
          same(refused, token),
          same(never, unknown),
          `${name}: as if there were no such download`,
        );
        if (options.method === 'HEAD') continue;
        const words =
          headers === html ? /in which the email address was confirmed/ : /LEASE_NOT_HERE|Link not found/;
        assert.match(refused.text, words, name);
      }
    for (const tag of [{ range: 'bytes=1-', 'if-range': `"${token}"` }, { 'if-match': `"${token}"` }])
      for (const cookies of [{}, { cookie: foreign }]) {
        const tagged = await send(service, `/l/${code}`, { headers: { ...tag, ...cookies } });
        assert.equal(tagged.status, 401);
        assert.doesNotMatch(tagged.text + JSON.stringify(tagged.headers), /quill|sonnet|content-range/);
      }
    const at = (path: string, headers = {}) =>
      send(service, page + path, { headers: { ...headers, cookie: `proxy=1; ${cookie}` } });
    const shown = await at('', html);
    assert.equal(shown.status, 200);
    assert.match(shown.text, /quill/);
    assert.doesNotMatch(shown.text, /<details data-command/, 'a command has no cookie');
    const [firstByte] = (await at('x', { range: 'bytes=0-0' })).text;
    assert.equal(firstByte, kind === 'a set' ? 'P' : kind === 'a file' ? 'q' : '\ufffd');
    assert.equal((await at(kind === 'a picture' ? 'view/x' : 'x')).status, 200);
    if (kind === 'a set') assert.match((await at('2/x')).text, /^sonnet/);
    const tagged = { range: 'bytes=1-3', 'if-range': `"${token}"`, cookie };
    assert.equal((await send(service, `/l/${code}`, { headers: tagged })).status, 206);
  }
});

test('a program continues the download of a recipient with the cookie until the lease ends, also after a change of recipients', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const created = await sendForm(service, [
    ...fields({ verifiedRecipients: ANN, maxViews: '1' }),
    file('0123456789', 'a.txt'),
  ]);
  const code = shortCodeOf(created);
  const visit = { service, code, headers: { accept: 'application/octet-stream' } };
  const { cookie, recipientCode } = await ask(visit, smtp);
  const opened = await post({ ...visit, cookie }, { recipientAddress: ANN, recipientCode });
  assert.deepEqual([opened.status, opened.text], [200, '0123456789']);
  const lease = new URL(String(opened.headers['content-location']), `${service.url}/l/${code}`).pathname;
  const rest = (headers: Record<string, string>) =>
    send(service, lease, { headers: { range: 'bytes=7-', ...headers } });
  assert.equal(member(json(await rest({})), 'code'), 'LEASE_NOT_HERE');
  service.clock.now += 24 * HOUR_MS - 1;
  const removed = { verifiedRecipients: [BOB], password: PASSWORD };
  const headers = { 'x-link-token': String(created.headers['x-link-token']) };
  const changed = await sendJson(service, `/api/links/${code}`, removed, { method: 'PATCH', headers });
  assert.equal(changed.status, 200);
  assert.equal((await rest({ cookie })).text, '789');
  assert.equal((await rest({})).status, 404);
  service.clock.now += 1;
  assert.equal(member(json(await rest({ cookie })), 'code'), 'LEASE_ENDED');
  assert.equal(member(json(await rest({})), 'code'), 'LEASE_NOT_HERE');
});

/** Asks for codes one after the other, each as another client. Returns the statuses. */
async function askAll(service: TestService, asked: readonly (readonly [code: string, address: string])[]) {
  const statuses: number[] = [];
  for (const [index, [code, recipientAddress]] of asked.entries()) {
    const headers = { 'x-forwarded-for': `203.0.113.${index}` };
    statuses.push((await post({ service, code, headers }, { recipientAddress })).status);
  }
  await service.codesSettled();
  return statuses;
}

const strangers = (count: number) => Array.from({ length: count }, (_, index) => `user${index}@example.net`);
const mailsTo = ({ mails }: TestSmtpServer, address: string): number =>
  mails.filter(({ to }) => to[0] === address).length;
const withheldOf = (service: TestService) =>
  service.logged().filter(({ msg }) => msg === 'recipient_code_failed');

test('codes are limited by address and client, whether the link names the address or not', async (t) => {
  const { service, smtp } = await startWithMail(t, ['--app.limits.recipient-codes=2/PT1H']);
  const visit = { service, code: await createNamed(service) };
  const statuses = async (addresses: string[]) => {
    const all: number[] = [];
    for (const recipientAddress of addresses) all.push((await post(visit, { recipientAddress })).status);
    return all;
  };
  assert.deepEqual(await statuses([ANN, ANN, ANN]), [401, 401, 429]);
  assert.deepEqual(await statuses([EVE, EVE, EVE]), [401, 401, 429]);
  assert.deepEqual(await statuses(strangers(35)), [...Array(34).fill(401), 429], 'a client asks for forty');
  const limited = await post(visit, { recipientAddress: BOB });
  assert.equal(limited.status, 429);
  assert.ok(Number(limited.headers['retry-after']) > 0);
  const { text: metrics } = await send(service, '/actuator/prometheus');
  assert.match(metrics, /^secure_link_rate_limited_total\{limit="recipient_codes"\} 4$/m);
  service.clock.now += HOUR_MS;
  assert.deepEqual(await statuses([ANN]), [401]);
  await service.codesSettled();
  assert.deepEqual([mailsTo(smtp, ANN), smtp.mails.length], [3, 3]);
});

test('beyond the limit of a mailbox, codes are withheld, and the response is the same', async (t) => {
  const { service, smtp } = await startWithMail(t, ['--app.limits.recipient-codes=2/PT1H']);
  const create = () => createNamed(service);
  const links = await Promise.all(Array.from({ length: 4 }, create));
  const twice = links.flatMap((code) => [[code, ANN] as const, [code, ANN] as const]);
  assert.deepEqual(await askAll(service, twice), Array(8).fill(401));
  assert.equal(mailsTo(smtp, ANN), 6);
  assert.equal(withheldOf(service).length, 2);
  assert.deepEqual(await askAll(service, [[await create(), BOB]]), [401]);
  assert.equal(mailsTo(smtp, BOB), 1, 'others get theirs');
});

test('a link mails no more codes than its limit, and the response is the same', async (t) => {
  const { service, smtp } = await startWithMail(t, ['--app.limits.recipient-codes=1/PT1H']);
  const named = strangers(22);
  const code = await createNamed(service, { verifiedRecipients: named });
  const asked = named.map((address) => [code, address] as const);
  assert.deepEqual(await askAll(service, asked), Array(22).fill(401));
  assert.equal(smtp.mails.length, 20);
  assert.equal(withheldOf(service).length, 2);
});

test('asks at links that do not name an address take no code from it, nor from those whom they name', async (t) => {
  const { service, smtp } = await startWithMail(t, ['--app.limits.recipient-codes=2/PT1H']);
  const others = await Promise.all(
    Array.from({ length: 4 }, () => createNamed(service, { verifiedRecipients: [BOB] })),
  );
  const twice = others.flatMap((code) => [[code, ANN] as const, [code, ANN] as const]);
  assert.deepEqual(await askAll(service, twice), Array(8).fill(401));
  const [first = ''] = others;
  const invented = strangers(50).map((address) => [first, address] as const);
  assert.deepEqual(await askAll(service, invented), Array(50).fill(401));
  assert.equal(smtp.mails.length, 0);
  const wanted = [[first, BOB] as const, [await createNamed(service), ANN] as const];
  assert.deepEqual(await askAll(service, wanted), [401, 401]);
  assert.deepEqual([mailsTo(smtp, BOB), mailsTo(smtp, ANN)], [1, 1]);
});

test('a mail server that fails is a problem of health and a page, and no view', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const visit = { service, code: await createNamed(service) };
  await smtp.close();
  // Also of an address that is not named: the failure does not show which one is.
  assert.equal((await post(visit, { recipientAddress: 'eve@example.net' })).status, 401);
  await service.codesSettled();
  const refused = await post(visit, { recipientAddress: ANN });
  assert.equal(refused.status, 503);
  assert.match(refused.text, /No code can be sent at the moment/);
  const ofProgram = await post(
    { ...visit, headers: { accept: 'application/json' } },
    { recipientAddress: ANN },
  );
  assert.equal(ofProgram.status, 503);
  assert.equal(member(json(ofProgram), 'code'), 'CODES_UNAVAILABLE');
  assert.match(String(member(json(ofProgram), 'message')), /cannot mail codes at the moment/);
  assert.ok(Number(ofProgram.headers['retry-after']) > 0);
  const health = await send(service, '/actuator/health');
  const { database } = member(json(health), 'components') as { database: { status: string } };
  assert.equal(database.status, 'UP');
  assert.match(health.text, /mail_failing/);
  await startSmtpServer(t, { port: smtp.port });
  service.clock.now += MINUTE;
  await send(service, '/actuator/health'); // looks whether the server is back
  await service.codesSettled();
  service.clock.now += MINUTE;
  assert.doesNotMatch((await send(service, '/actuator/health')).text, /mail_failing/);
  assert.equal((await post(visit, { recipientAddress: ANN })).status, 401);
  const { results } = await historyOf(service, visit.code);
  assert.deepEqual(results, [
    ['RECIPIENT_REQUIRED', undefined],
    ...Array(3).fill(['RECIPIENT_REQUIRED', ANN]), // two of them got 503
  ]);
});

test('an error that only a mail to a named address can cause is in the log alone', async (t) => {
  const onMailFrom: SMTPServerOptions['onMailFrom'] = (_, _session, callback) => callback(refusal(550));
  const { service } = await startWithMail(t, [], { onMailFrom });
  const visit = { service, code: await createNamed(service) };
  const deliveries = async () =>
    (await send(service, '/actuator/prometheus')).text
      .split('\n')
      .filter((line) => line.startsWith('secure_link_notification'));
  const before = await deliveries();
  assert.ok(before.length > 0);
  for (const recipientAddress of [ANN, EVE, ANN, EVE]) {
    assert.equal((await post(visit, { recipientAddress })).status, 401, recipientAddress);
    await service.codesSettled();
    assert.doesNotMatch((await send(service, '/actuator/health')).text, /mail_failing/);
    assert.deepEqual(await deliveries(), before);
  }
  const reasons = service
    .logged()
    .flatMap(({ msg, reason }) => (msg === 'recipient_code_failed' ? [reason] : []));
  assert.deepEqual(reasons, Array(2).fill('The mail server responded with 550 to MAIL FROM'));
});

test('instances on PostgreSQL share codes and their limits, also after a restart', async (t) => {
  const smtp = await startSmtpServer(t);
  const { url } = await temporarySchema(t);
  const flags = [...mailFlags(smtp), `--app.database.url=${url}`, '--app.limits.recipient-codes=2/PT24H'];
  const [one, two] = [await startService(t, { flags }), await startService(t, { flags })];
  const code = await createNamed(one);
  const { cookie, recipientCode } = await ask({ service: one, code }, smtp);
  const opened = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      post({ service: index % 2 ? one : two, code, cookie }, { recipientAddress: ANN, recipientCode }),
    ),
  );
  assert.equal(opened.filter(({ status }) => status === 303).length, 1);
  await ask({ service: two, code }, smtp);
  assert.equal((await post({ service: one, code }, { recipientAddress: ANN })).status, 429);
  await Promise.all([one.stop(), two.stop()]);
  const restarted = await startService(t, { flags });
  assert.equal((await post({ service: restarted, code }, { recipientAddress: ANN })).status, 429);
});

test('a program learns what is needed, and opens the link with it', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const visit = { service, code: await createNamed(service), headers: { accept: 'application/json' } };
  const needed = await send(service, `/l/${visit.code}`, { headers: visit.headers });
  assert.equal(needed.status, 401);
  assert.equal(member(json(needed), 'code'), 'RECIPIENT_REQUIRED');
  assert.equal(needed.headers['www-authenticate'], 'Recipient-Code realm="link"');
  const { cookie, recipientCode } = await ask(visit, smtp, BOB);
  const opened = await post({ ...visit, cookie }, { recipientAddress: BOB, recipientCode });
  assert.deepEqual(json(opened), { type: 'REDIRECT', targetUrl: TARGET });
});

test('recipients can be changed, and a change holds for codes that were mailed before', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const visit = { service, code: await createNamed(service) };
  const { cookie, recipientCode } = await ask(visit, smtp);
  const change = (verifiedRecipients: unknown) =>
    sendJson(
      service,
      `/api/links/${visit.code}`,
      { verifiedRecipients },
      {
        method: 'PATCH',
        headers: ofMaker(visit.code),
      },
    );
  assert.equal((await change([BOB])).status, 200);
  assert.equal((await post({ ...visit, cookie }, { recipientAddress: ANN, recipientCode })).status, 401);
  assert.equal((await change(null)).status, 200);
  assert.equal((await send(service, `/l/${visit.code}`)).status, 302);
});

test('a link cannot name recipients where the service sends no mail, nor a wrong address', async (t) => {
  const without = await startService(t);
  const create = (service: TestService, verifiedRecipients: unknown) =>
    sendJson(service, '/api/links', { targetUrl: TARGET, verifiedRecipients });
  assert.equal(member(json(await create(without, [ANN])), 'code'), 'RECIPIENTS_UNAVAILABLE');
  const { service } = await startWithMail(t);
  for (const [code, sent] of [
    ['INVALID_RECIPIENTS', ['ann']],
    ['INVALID_RECIPIENTS', ANN],
    ['INVALID_RECIPIENTS', [1]],
    ['INVALID_RECIPIENTS', ['', ' ']], // would open the link to anyone
    ['TOO_MANY_RECIPIENTS', Array.from({ length: 51 }, (_, index) => `user${index}@example.com`)],
  ] as const)
    assert.equal(member(json(await create(service, sent)), 'code'), code);
  const refused = json(await create(service, [ANN, ' bob ', 'carl']));
  assert.deepEqual(member(refused, 'params'), { address: 'bob' });
  const code = await createNamed(service, {
    verifiedRecipients: [ANN, ANN.toLowerCase(), ' bob@EXAMPLE.org '],
  });
  const described = json(await send(service, `/api/links/${code}`, { headers: ofMaker(code) }));
  assert.deepEqual(member(described, 'verifiedRecipients'), [ANN, BOB]);
  const stranger = json(await send(service, `/api/links/${code}`));
  assert.equal(member(stranger, 'verifiedRecipients'), undefined);
});
