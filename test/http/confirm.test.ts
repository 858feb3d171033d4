import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { json, type RequestOptions, send as sendNow, type TestResponse } from '../support/http-client.ts';
import { auditedResults, createLink, linkState, TARGET, uploadFile } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const NAVIGATION = 'text/html,application/xhtml+xml,*/*;q=0.8';
const LATER = '2026-06-15T13:00:00Z';
const texts = TEXTS.en;

/** Sends each request at its own time, so that the audit orders them. */
function send(service: TestService, path: string, options?: RequestOptions): Promise<TestResponse> {
  service.clock.now += 1;
  return sendNow(service, path, options);
}

const openLink = (service: TestService, shortCode: string, headers = {}) =>
  send(service, `/l/${shortCode}`, { headers });

/** Requests that a person did not confirm: none may spend a view. */
const UNCONFIRMED: [name: string, options: RequestOptions][] = [
  ['a browser', { headers: { accept: NAVIGATION } }],
  ['a mail scanner without any header', {}],
  [
    'a chat that generates a preview',
    { headers: { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0' } },
  ],
  ['a prefetch', { headers: { accept: NAVIGATION, 'sec-purpose': 'prefetch' } }],
  ['HEAD', { method: 'HEAD' }],
  ['HEAD of a browser', { method: 'HEAD', headers: { accept: NAVIGATION } }],
];

function assertConfirmation(response: TestResponse, expectedText: string): void {
  assert.equal(response.status, 200);
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers.location, undefined);
  assert.ok(response.text.includes(expectedText), response.text);
  assert.match(response.text, /<form method="post"/);
}

test('a link with confirmation spends no view before the visitor confirms', async (t) => {
  const service = await sharedService();
  const kinds: [name: string, make: () => Promise<string>][] = [
    ['a URL', () => createLink(service, { confirm: true, maxViews: 2 })],
    ['a file', () => uploadFile(service, 'content', { fields: { confirm: 'true', maxViews: '2' } })],
  ];
  for (const [kind, make] of kinds) {
    const shortCode = await make();
    const path = `/l/${shortCode}`;
    for (const [who, options] of UNCONFIRMED) {
      await t.test(`${kind}: ${who}`, async () => {
        const before = auditedResults(service, shortCode).length;
        const response = await send(service, path, options);
        const title = texts[kind === 'a URL' ? 'redirect.title' : 'download.title'];
        if (options.method !== 'HEAD') assertConfirmation(response, title);
        assert.equal(response.status, 200);
        assert.equal(response.headers.location, undefined);
        assert.doesNotMatch(response.text, /https:\/\/example|query=1/);
        assert.deepEqual(auditedResults(service, shortCode).slice(before), ['PREVIEW']);
        assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
      });
    }
    await t.test(`${kind}: each press of the button opens it once`, async () => {
      const opened = await send(service, path, { method: 'POST', headers: { accept: NAVIGATION } });
      if (kind === 'a URL') assert.deepEqual([opened.status, opened.headers.location], [303, TARGET]);
      else assert.match(`${opened.status} ${opened.headers.location}`, /^303 \.\/\w{8}\/lease_/);
      assert.equal(auditedResults(service, shortCode).at(-1), 'SUCCESS');
      assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 1 });
      const page = await openLink(service, shortCode, { accept: NAVIGATION });
      assert.ok(page.text.includes('Can still be opened once'), page.text);
    });
    await t.test(`${kind}: a client that accepts JSON opens it directly`, async () => {
      const opened = await openLink(service, shortCode, { accept: 'application/json' });
      assert.equal(opened.status, 200);
      if (kind === 'a URL') assert.deepEqual(json(opened), { type: 'REDIRECT', targetUrl: TARGET });
      else assert.equal(opened.text, 'content');
      assert.equal(linkState(service, shortCode).viewCount, 2);
    });
  }
});

test('a client that sends a password opens a link with confirmation directly, even if it needs none', async () => {
  const service = await sharedService();
  const open = await createLink(service, { confirm: true });
  const locked = await createLink(service, { confirm: true, password: 'secret' });
  for (const shortCode of [open, locked]) {
    const opened = await openLink(service, shortCode, { 'x-link-password': 'secret', accept: NAVIGATION });
    assert.deepEqual([opened.status, opened.headers.location], [302, TARGET]);
  }
  assert.equal((await openLink(service, open, { 'x-link-password': '' })).status, 302);
});

test('a protected link with confirmation reveals no more than any protected link', async (t) => {
  const service = await startService(t);
  const wanted = { password: 'secret', maxViews: 1, expiresAt: LATER };
  const [confirming, plain] = [
    await createLink(service, { ...wanted, confirm: true }),
    await createLink(service, wanted),
  ];
  const pageOf = async (shortCode: string) =>
    (await openLink(service, shortCode, { accept: NAVIGATION })).text;
  const page = await pageOf(confirming);
  assert.ok(page.includes(texts['password.title']));
  assert.doesNotMatch(page, /example\.com/);
  assert.equal(page, await pageOf(plain), 'neither the confirmation nor its kind, limits or views');
  assert.deepEqual(auditedResults(service, confirming), ['PASSWORD_REQUIRED']);
  service.clock.now = Date.parse(LATER) + 1;
  assert.equal(await pageOf(confirming), page, 'nor that it has expired');
});

test('the page describes the link, and its preview metadata is neutral', async (t) => {
  const service = await startService(t);
  const fileName = `<img src=x onerror=alert(1)>"'&.txt`;
  const shortCode = await uploadFile(service, Buffer.alloc(1_572_864), {
    fileName,
    fields: { confirm: 'true', maxViews: '3', expiresAt: LATER },
  });
  const { text } = await openLink(service, shortCode, { accept: NAVIGATION });
  assert.ok(text.includes('&#60;img src=x onerror=alert(1)&#62;&#34;&#39;&#38;.txt'), text);
  assert.doesNotMatch(text, /<img/);
  const sha256 = hash('sha256', Buffer.alloc(1_572_864));
  for (const fact of [
    '1.5 MB',
    sha256,
    'Can still be opened 3 times',
    '<time datetime="2026-06-15T13:00:00.000Z">',
    'UTC',
  ]) {
    assert.ok(text.includes(fact), fact);
  }
  const graph = [...text.matchAll(/<meta (?:property|name)="(og:|twitter:)[^>]*>/g)].map(([meta]) => meta);
  assert.equal(graph.length, 5);
  assert.ok(graph.some((meta) => meta.includes(`"og:title" content="${texts['preview.title']}"`)));
  assert.doesNotMatch(graph.join(), /\.txt|MB|view/);

  await t.test('the page omits limits that the link does not have', async () => {
    const unlimited = await createLink(service, { confirm: true });
    const page = await openLink(service, unlimited, { accept: NAVIGATION });
    assert.doesNotMatch(page.text, /<ul>|left|<time/);
  });
});

test('the confirmation page names the host of a target, and nothing else of it', async () => {
  const service = await sharedService();
  for (const [targetUrl, box] of [
    ['https://example.com/covert-path?covert=query#covert-fragment', '<bdi>example.<wbr>com</bdi>'],
    ['https://covert.example:443@evil.example:8443/', '<bdi>evil.<wbr>example:8443</bdi>'],
    ['https://bücher.example:8443/covert', '<bdi>bücher.example</bdi>xn--bcher-kva.example:8443'],
    // The first letter is Cyrillic.
    ['https://аpple.example/', '<bdi>xn--pple-43d.<wbr>example</bdi>'],
    [`https://a'&b.example/`, '<bdi>a&#39;&#38;<wbr>b.<wbr>example</bdi>'],
  ] as const) {
    const shortCode = await createLink(service, { targetUrl, confirm: true });
    const { text } = await openLink(service, shortCode, { accept: NAVIGATION });
    assert.ok(text.includes(`<p class="box">${box}</p>`), targetUrl);
    assert.ok(!text.includes('covert'), targetUrl);
  }
  const file = await uploadFile(service, 'content', { fields: { confirm: 'true' } });
  const { text } = await openLink(service, file, { accept: NAVIGATION });
  assert.ok(!text.includes(texts['redirect.text']));
});

test('the confirmation page counts as a preview in the metrics', async (t) => {
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
