import assert from 'node:assert/strict';
import test from 'node:test';
import { TEXTS } from '../../src/http/pages/texts/texts.ts';
import { type Ask, json, send as sendNow, type TestResponse } from '../support/http-client.ts';
import {
  auditedResults,
  createLink,
  linkState,
  TARGET,
  uploadFile,
  WAYS_OF_VISITS,
} from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const NAVIGATION = 'text/html,application/xhtml+xml,*/*;q=0.8';
const LATER = '2026-06-15T13:00:00Z';
const texts = TEXTS.en;

/** Each at a time of its own, by which the audit has them in order. */
function send(service: TestService, path: string, ask?: Ask): Promise<TestResponse> {
  service.clock.now += 1;
  return sendNow(service, path, ask);
}

const openLink = (service: TestService, shortCode: string, headers = {}) =>
  send(service, `/l/${shortCode}`, { headers });

/** Whoever comes without a person's will to open: none of them may spend a view. */
const LOOKERS: [name: string, ask: Ask][] = [
  ['a browser', { headers: { accept: NAVIGATION } }],
  ['a mail scanner that says nothing of itself', {}],
  ['a chat that makes a preview', { headers: { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0' } }],
  ['a prefetch', { headers: { accept: NAVIGATION, 'sec-purpose': 'prefetch' } }],
  ['HEAD', { method: 'HEAD' }],
  ['HEAD of a browser', { method: 'HEAD', headers: { accept: NAVIGATION } }],
];

function assertConfirmation(answer: TestResponse, told: string): void {
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers.location, undefined);
  assert.ok(answer.text.includes(told), answer.text);
  assert.match(answer.text, /<form method="post">/);
}

for (const [way, options] of WAYS_OF_VISITS) {
  test(`a link that asks first spends nothing until it is told to open${way}`, async (t) => {
    const service = await startService(t, options);
    const kinds: [name: string, make: () => Promise<string>][] = [
      ['a URL', () => createLink(service, { confirm: true, maxViews: 2 })],
      ['a file', () => uploadFile(service, 'content', { fields: { confirm: 'true', maxViews: '2' } })],
    ];
    for (const [kind, make] of kinds) {
      const shortCode = await make();
      const path = `/l/${shortCode}`;
      for (const [who, ask] of LOOKERS) {
        await t.test(`${kind}: ${who}`, async () => {
          const before = auditedResults(service, shortCode).length;
          const answer = await send(service, path, ask);
          const title = texts[kind === 'a URL' ? 'redirect.title' : 'download.title'];
          if (ask.method !== 'HEAD') assertConfirmation(answer, title);
          assert.equal(answer.status, 200);
          assert.equal(answer.headers.location, undefined);
          assert.doesNotMatch(answer.text, /example\.com/);
          assert.deepEqual(auditedResults(service, shortCode).slice(before), ['PREVIEW']);
          assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
        });
      }
      await t.test(`${kind}: the button opens it, once for each press`, async () => {
        const opened = await send(service, path, { method: 'POST', headers: { accept: NAVIGATION } });
        if (kind === 'a URL') assert.deepEqual([opened.status, opened.headers.location], [303, TARGET]);
        else assert.deepEqual([opened.status, opened.text], [200, 'content']);
        assert.equal(auditedResults(service, shortCode).at(-1), 'SUCCESS');
        assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 1 });
        const page = await openLink(service, shortCode, { accept: NAVIGATION });
        assert.ok(page.text.includes('1 view left'), page.text);
      });
      await t.test(`${kind}: a program that asks for JSON opens it directly`, async () => {
        const opened = await openLink(service, shortCode, { accept: 'application/json' });
        assert.equal(opened.status, 200);
        if (kind === 'a URL') assert.deepEqual(json(opened), { type: 'REDIRECT', targetUrl: TARGET });
        else assert.equal(opened.text, 'content');
        assert.equal(linkState(service, shortCode).viewCount, 2);
      });
      await t.test(`${kind}: who comes too late is refused, and recorded as ever`, async () => {
        const before = auditedResults(service, shortCode).length;
        const page = await openLink(service, shortCode, { accept: NAVIGATION });
        assert.equal(page.status, 410);
        assert.ok(page.text.includes(texts['notice.VIEW_LIMIT_REACHED.title']));
        assert.deepEqual(auditedResults(service, shortCode).slice(before), ['VIEW_LIMIT_REACHED']);
        assert.equal(linkState(service, shortCode).status, 'EXPIRED', 'the denial itself expires it');
      });
    }
  });
}

test('a program that sends a password opens a link that asks first directly, also one that needs none', async (t) => {
  const service = await startService(t);
  const open = await createLink(service, { confirm: true });
  const locked = await createLink(service, { confirm: true, password: 'secret' });
  for (const shortCode of [open, locked]) {
    const opened = await openLink(service, shortCode, { 'x-link-password': 'secret', accept: NAVIGATION });
    assert.deepEqual([opened.status, opened.headers.location], [302, TARGET]);
  }
  assert.equal((await openLink(service, open, { 'x-link-password': '' })).status, 302);
});

test('a protected link that asks first shows a stranger what any protected link shows', async (t) => {
  const service = await startService(t);
  const wanted = { password: 'secret', maxViews: 1, expiresAt: LATER };
  const [asking, plain] = [
    await createLink(service, { ...wanted, confirm: true }),
    await createLink(service, wanted),
  ];
  const pageOf = async (shortCode: string) =>
    (await openLink(service, shortCode, { accept: NAVIGATION })).text;
  const page = await pageOf(asking);
  assert.ok(page.includes(texts['password.title']));
  assert.equal(page, await pageOf(plain), 'neither that it asks, nor its kind, limits or views');
  assert.deepEqual(auditedResults(service, asking), ['PASSWORD_REQUIRED']);
  service.clock.now = Date.parse(LATER) + 1;
  assert.equal(await pageOf(asking), page, 'nor that its time is over');
});

test('the page says what the link is about, in neutral words where other programs show it', async (t) => {
  const service = await startService(t);
  const fileName = `<img src=x onerror=alert(1)>"'&.txt`;
  const shortCode = await uploadFile(service, Buffer.alloc(1_572_864), {
    fileName,
    fields: { confirm: 'true', maxViews: '3', expiresAt: LATER },
  });
  const { text } = await openLink(service, shortCode, { accept: NAVIGATION });
  assert.ok(text.includes('&#60;img src=x onerror=alert(1)&#62;&#34;&#39;&#38;.txt'), text);
  assert.doesNotMatch(text, /<img/);
  for (const told of ['1.5 MB', '3 views left', '<time datetime="2026-06-15T13:00:00.000Z">', 'UTC']) {
    assert.ok(text.includes(told), told);
  }
  const graph = [...text.matchAll(/<meta (?:property|name)="(og:|twitter:)[^>]*>/g)].map(([meta]) => meta);
  assert.equal(graph.length, 5);
  assert.ok(graph.some((meta) => meta.includes(`"og:title" content="${texts['preview.title']}"`)));
  assert.doesNotMatch(graph.join(), /\.txt|MB|view/);

  await t.test('and nothing of limits that it has not', async () => {
    const unlimited = await createLink(service, { confirm: true });
    const page = await openLink(service, unlimited, { accept: NAVIGATION });
    assert.doesNotMatch(page.text, /<ul>|left|<time/);
  });
});

test('a link that does not ask is opened as ever', async (t) => {
  const service = await startService(t);
  for (const wanted of [{}, { confirm: false }, { confirm: null }]) {
    const shortCode = await createLink(service, wanted);
    for (const accept of [NAVIGATION, '*/*']) {
      assert.equal((await openLink(service, shortCode, { accept })).headers.location, TARGET);
    }
  }
});

test('of the metrics, a page that asks counts as a preview, and not as an attempt', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service, { confirm: true });
  await openLink(service, shortCode);
  await send(service, `/l/${shortCode}`, { method: 'POST' });
  const { text } = await send(service, '/actuator/prometheus');
  for (const line of [
    'secure_link_resolve_attempts_total 1',
    'secure_link_resolve_success_total 1',
    'secure_link_preview_total{reason="success"} 1',
  ]) {
    assert.ok(text.split('\n').includes(line), line);
  }
});
