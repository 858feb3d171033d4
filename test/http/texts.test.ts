import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test, { describe } from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import {
  assertErrorRecord,
  json,
  member,
  type RequestOptions,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { auditedResults, linkState, openLink, shortCodeOf } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const MIB = 1024 ** 2;
const NAVIGATION = 'text/html,application/xhtml+xml,*/*;q=0.8';
const SECRET = 'p4ssw<rd> & "more"\r\n\tend ✓';
const SHOWN = 'p4ssw&#60;rd&#62; &#38; &#34;more&#34;&#13;\n\tend ✓';
const texts = TEXTS.en;

const createText = async (service: TestService, members: Record<string, unknown> = {}): Promise<string> =>
  shortCodeOf(await sendJson(service, '/api/links', { text: SECRET, ...members }));

const press = (service: TestService, shortCode: string): Promise<TestResponse> =>
  send(service, `/l/${shortCode}`, { method: 'POST', headers: { accept: NAVIGATION } });

describe('a link to a text', () => {
  test('a text opens once unless its creator says otherwise, and the policy bounds it', async (t) => {
    const service = await sharedService();
    const bounded = await startService(t, { flags: ['--app.links.max-views=3'] });
    const cases: [service: TestService, members: Record<string, unknown>, maxViews: number | null][] = [
      [service, {}, 1],
      [service, { maxViews: 5 }, 5],
      [service, { maxViews: null }, null],
      [bounded, {}, 1],
      [bounded, { maxViews: null }, 3],
    ];
    for (const [at, members, maxViews] of cases) {
      const created = await sendJson(at, '/api/links', { text: SECRET, ...members });
      assert.equal(member(json(created), 'maxViews'), maxViews, JSON.stringify(members));
    }
  });

  test('nothing but a button opens a text in a browser, in a chat or in a scanner', async () => {
    const service = await sharedService();
    const shortCode = await createText(service);
    const unconfirmed: RequestOptions[] = [
      { headers: { accept: NAVIGATION } },
      { headers: { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0' } },
      { headers: { accept: '*/*', 'user-agent': 'Mozilla/5.0 (compatible; SafeLinks)' } },
      {},
      { headers: { accept: NAVIGATION, 'sec-purpose': 'prefetch' } },
      { method: 'HEAD', headers: { 'user-agent': 'curl/8.5.0' } },
    ];
    for (const options of unconfirmed) {
      const { status, text } = await send(service, `/l/${shortCode}`, options);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /p4ss|text\.txt/);
      assert.ok(!text.includes(hash('sha256', SECRET)), 'its SHA-256 lets guesses be tried');
    }
    const page = await openLink(service, shortCode, { accept: NAVIGATION });
    assert.ok(
      page.text.includes(texts['text.open']) && page.text.includes('Can still be opened once'),
      page.text,
    );
    assert.equal(linkState(service, shortCode).viewCount, 0);
  });

  test('the click shows the text on a page that is kept nowhere, and the last view says so', async () => {
    const service = await sharedService();
    const shortCode = await createText(service, { maxViews: 2 });
    const first = await press(service, shortCode);
    assert.deepEqual([first.status, first.headers['cache-control']], [200, 'no-store']);
    assert.ok(first.text.includes(`>\n${SHOWN}</pre>`), first.text);
    assert.ok(first.text.includes('Can still be opened once.') && !first.text.includes(texts['text.last']));
    const policy = String(first.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'.*form-action 'none'/);
    assert.doesNotMatch(policy, /connect-src/);
    const last = await press(service, shortCode);
    assert.ok(last.text.includes(texts['text.last']));
    assert.equal((await press(service, shortCode)).status, 410);
    assert.deepEqual(linkState(service, shortCode).viewCount, 2);
  });

  test('a program on a command line gets the bytes of a text, and one that asks for text or JSON', async () => {
    const service = await sharedService();
    for (const headers of [
      { 'user-agent': 'curl/8.5.0', accept: '*/*' },
      { 'user-agent': 'Wget/1.24' },
      { accept: 'text/plain' },
      { accept: 'application/json' },
    ]) {
      const shortCode = await createText(service);
      const opened = await openLink(service, shortCode, headers);
      assert.deepEqual([opened.status, opened.text], [200, SECRET], JSON.stringify(headers));
      assert.equal(opened.headers['content-type'], 'text/plain; charset=utf-8');
      assert.match(String(opened.headers['content-disposition']), /^attachment; filename="text\.txt"/);
      assert.equal(opened.headers['cache-control'], 'private, no-store');
      assert.deepEqual(auditedResults(service, shortCode), ['SUCCESS']);
    }
    const confirmed = await createText(service, { confirm: true });
    const page = await openLink(service, confirmed, { 'user-agent': 'curl/8.5.0' });
    assert.ok(page.text.includes(texts['text.open']), 'a creator who wants a confirmation gets one');
  });

  test('the limit of a text is that of its bytes, however JSON writes them', async () => {
    const service = await sharedService();
    const escapeUnits = (text: string) =>
      text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const post = (body: string) =>
      send(service, '/api/links', {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body,
      });
    for (const [text, more] of [
      ['a'.repeat(MIB), 'a'],
      ['б'.repeat(MIB / 2), 'a'],
      ['😀'.repeat(MIB / 4), '\n'],
    ] as const)
      for (const write of [JSON.stringify, (sent: string) => `"${escapeUnits(sent)}"`]) {
        const created = await post(`{"text":${write(text)}}`);
        assert.equal(created.status, 201, created.text);
        const headers = { accept: 'text/plain' };
        assert.ok((await send(service, `/l/${shortCodeOf(created)}`, { headers })).text === text);
        const refused = await post(`{"text":${write(text + more)}}`);
        assertErrorRecord(refused, {
          status: 400,
          path: '/api/links',
          message: /^text: must be a text of at most 1 MB/,
        });
      }
  });

  test('a body over 1 MiB beside its text is refused', async () => {
    const service = await sharedService();
    const padding = 'x'.repeat(MIB);
    for (const body of [
      { text: 'short', padding: `${padding}, and more than its escapes can take` },
      { text: 'x'.repeat(MIB), padding: padding.repeat(6) },
      { text: 'x'.repeat(8 * MIB) },
      { text: true, padding },
      { targetUrl: 'https://example.com/', padding },
    ]) {
      const refused = await sendJson(service, '/api/links', body);
      assertErrorRecord(refused, { status: 413, path: '/api/links', message: /at most 1 MB$/ });
    }
  });

  test('no response about a text, no log and no history has it or its SHA-256', async (t) => {
    const service = await startService(t);
    const create = () =>
      sendJson(service, '/api/links', { text: SECRET }, { headers: { 'idempotency-key': 'key' } });
    const created = await create();
    const repeated = await create();
    assert.deepEqual(json(repeated), json(created));
    assert.equal(service.storedFiles().length, 1);
    const shortCode = shortCodeOf(created);
    await press(service, shortCode);
    const token = { 'x-link-token': String(created.headers['x-link-token']) };
    const history = await send(service, `/api/links/${shortCode}/history`, { headers: token });
    assert.ok(history.text.includes('"text":true'), history.text);
    const described = await send(service, `/api/links/${shortCode}`);
    assert.equal(member(json(described), 'file'), null);
    const all = [created, repeated, history, described].map(
      (response) => JSON.stringify(response.headers) + response.text,
    );
    for (const shown of [...all, JSON.stringify(service.logged())]) {
      assert.ok(!shown.includes('p4ss'), shown);
      assert.ok(!shown.includes(hash('sha256', SECRET)), shown);
    }
  });
});
