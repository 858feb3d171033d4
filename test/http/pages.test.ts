import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, truncateSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { test } from 'node:test';
import { isLanguage, LANGUAGES } from '../../src/common/languages.ts';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import { OWN_BRAND } from '../../src/http/brand.ts';
import { findBuiltPages } from '../../src/http/built-pages.ts';
import { html, prepareRenderPage, readPageAssets } from '../../src/http/pages/page.ts';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertErrorRecord, send, type TestResponse } from '../support/http-client.ts';
import {
  auditedResults,
  countRows,
  createLink,
  linkState,
  openLink,
  revokeLink,
  storedFileOf,
  uploadFile,
} from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** The size limit of a page with its style and script. A proxy that compresses makes about 6 KB of it. */
const MAX_PAGE_BYTES = 18_050;

/** The `Accept` header of a browser that follows a link. */
const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Asserts that a page loads nothing, runs only its own script, cannot be framed, and is small. */
function assertPage(response: TestResponse): void {
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(response.headers['x-content-type-options'], 'nosniff');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers['vary'], 'Accept, Accept-Language');
  assert.match(response.text, /^<!doctype html>\n<html lang="[a-z]{2}">/);
  assert.ok(response.body.length < MAX_PAGE_BYTES, `${response.body.length} bytes`);
  const hasForm = response.text.includes('<form');
  assert.equal(response.headers['referrer-policy'], hasForm ? 'same-origin' : 'no-referrer');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(response.text) ?? [];
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(response.text) ?? [];
  assert.equal(script !== '', hasForm || response.text.includes('<time'));
  const policy = String(response.headers['content-security-policy']).split('; ').sort();
  // After a password, a page with a further script may come.
  const isPassword = response.text.includes('id="password"');
  const { decryptScript, encryptScript, sendScript } = readPageAssets(findBuiltPages());
  assert.deepEqual(policy, [
    "base-uri 'none'",
    ...(hasForm ? ["connect-src 'self'"] : []),
    "default-src 'none'",
    hasForm ? "form-action 'self' http: https:" : "form-action 'none'",
    "frame-ancestors 'none'",
    'img-src data:',
    ...(script === ''
      ? []
      : [
          `script-src ${hashOf(script)}${isPassword ? ` ${[decryptScript, encryptScript, sendScript].map(hashOf).join(' ')}` : ''}`,
        ]),
    `style-src ${hashOf(style)}`,
    ...(isPassword ? ['worker-src blob:'] : []),
  ]);
  const markup = response.text.replace(`<script>${script}</script>`, '');
  assert.doesNotMatch(
    markup.replace('<link rel="icon" href="data:', ''),
    /<(script|img|iframe|link|object|embed)\b|\son\w+=|\sstyle=|javascript:|(?:src|href|action)="[^"]/i,
  );
}

test('each refusal of a visit has its page for browsers, its error record for programs, and one record', async (t) => {
  const service = await startService(t);
  const inactive = await createLink(service, { expiresAt: '2026-06-16T12:00:00Z' });
  service.clock.now += 2 * DAY_MS;
  await service.startJobs();
  service.clock.now -= 2 * DAY_MS; // the clock was wrong and is corrected
  const revoked = await createLink(service);
  await revokeLink(service, revoked);
  const expired = await createLink(service, { expiresAt: '2026-06-15T12:00:01Z' });
  const locked = await createLink(service, { password: 'secret' });
  service.clock.now += 2_000;
  const spent = await createLink(service, { maxViews: 1 });
  await openLink(service, spent);
  const later = await createLink(service, { startsAt: '2027-01-01T08:30:00+01:00' });
  const [missing, shortened] = [await uploadFile(service), await uploadFile(service)];
  rmSync(storedFileOf(service, missing));
  truncateSync(storedFileOf(service, shortened), 3);
  const texts = TEXTS.en;
  type Refusal = [
    code: string,
    result: string,
    status: number,
    message: string,
    title: string,
    sent?: string,
  ];
  const refusals: Refusal[] = [
    ['unknown1', 'NOT_FOUND', 404, 'Link not found', texts['notice.NOT_FOUND.title']],
    ['%ZZ', 'NOT_FOUND', 404, 'Link not found', texts['notice.NOT_FOUND.title']],
    [missing, 'NOT_FOUND', 404, 'File not found', texts['notice.FILE_NOT_FOUND.title']],
    [shortened, 'NOT_FOUND', 404, 'File not found', texts['notice.FILE_NOT_FOUND.title']],
    [revoked, 'REVOKED', 410, 'Link has been revoked', texts['notice.REVOKED.title']],
    [expired, 'EXPIRED', 410, 'Link has expired', texts['notice.EXPIRED.title']],
    [
      ...([spent, 'VIEW_LIMIT_REACHED', 410, 'Link has reached its view limit'] as const),
      texts['notice.VIEW_LIMIT_REACHED.title'],
    ],
    [inactive, 'UNEXPECTED_STATE', 410, 'Link is not active', texts['notice.UNEXPECTED_STATE.title']],
    [later, 'NOT_STARTED', 403, 'Link is not open yet; try again later', texts['notice.NOT_STARTED.title']],
    [locked, 'PASSWORD_REQUIRED', 401, 'Password required', texts['password.title']],
    [locked, 'INVALID_PASSWORD', 401, 'Invalid password', texts['password.wrong'], 'wrong'],
  ];
  for (const [code, result, status, message, title, sent] of refusals) {
    const viewsBefore = linkState(service, code).viewCount;
    const open = async (accept?: string) => {
      service.clock.now += 1;
      const before = countRows(service, 'audit');
      const password: Record<string, string> = sent === undefined ? {} : { 'x-link-password': sent };
      const response = await openLink(service, code, {
        ...password,
        ...(accept !== undefined && { accept }),
      });
      assert.deepEqual(
        [countRows(service, 'audit'), auditedResults(service, code).at(-1)],
        [before + 1, result],
      );
      assert.equal(response.headers['www-authenticate'] !== undefined, status === 401);
      return response;
    };
    for (const accept of [undefined, '*/*', 'text/html, application/json'])
      await t.test(`${message}: Accept: ${accept} gets the error record`, async () => {
        const response = await open(accept);
        assertErrorRecord(response, { status, message, path: `/l/${code}` });
        assert.equal(response.headers['content-security-policy'], undefined);
      });
    for (const accept of ['text/html', NAVIGATION])
      await t.test(`${message}: Accept: ${accept} gets a page with the same status`, async () => {
        const response = await open(accept);
        assert.equal(response.status, status);
        assert.ok(response.text.includes(title), response.text);
        assertPage(response);
      });
    assert.equal(linkState(service, code).viewCount, viewsBefore);
  }
  const start = '<time datetime="2027-01-01T07:30:00.000Z">1. Januar 2027 um 07:30 UTC</time>';
  for (const more of [{}, { 'sec-purpose': 'prefetch' }]) {
    const headers = { accept: NAVIGATION, 'accept-language': 'de-DE', ...more };
    assert.match((await openLink(service, later, headers)).text, new RegExp(`Gültig ab ${start}`));
  }
});

test('API paths answer with the error record, also to browsers', async () => {
  const service = await sharedService();
  const headers = { accept: NAVIGATION };
  for (const path of ['/api', '/api/stats/nothing', '/api/stats/links/top?limit=0']) {
    const response = await send(service, path, { headers });
    const status = path.includes('limit') ? 400 : 404;
    assertErrorRecord(response, { status, message: /./, path: path.replace(/\?.*/, '') });
  }
  const response = await send(service, '/api/links', { method: 'POST', headers });
  assert.equal(STATUS_CODES[response.status], 'Bad Request');
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
});

test("a request's values are escaped in pages", async () => {
  const service = await sharedService();
  const markup = '"><svg/onload=alert(1)><script>alert(1)</script>&lt;\'';
  const headers = { accept: NAVIGATION, 'user-agent': markup, 'x-correlation-id': markup, referer: markup };
  for (const path of [
    encodeURIComponent(markup),
    '%22%3E%3Csvg%20onload=alert(1)%3E',
    `%ZZ<b>'"`,
    `x?<script>`,
  ])
    for (const method of ['GET', 'PUT']) {
      const response = await send(service, `/l/${path}`, { method, headers });
      assert.equal(response.status, method === 'GET' ? 404 : 405, path);
      if (method === 'GET') {
        assertPage(response);
        assert.doesNotMatch(response.text, /<script|<b>|onload/, path);
      }
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
    }
});

test('a prefetched page lets the visitor open the link', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service, { targetUrl: 'https://secret-target.example/' });
  const response = await openLink(service, shortCode, { 'sec-purpose': 'prefetch', accept: NAVIGATION });
  assert.equal(response.status, 200);
  assertPage(response);
  assert.match(response.text, /<a [^>]*href="">/);
  assert.doesNotMatch(response.text, /secret-target/);
});

test('a page without built assets is plain and its form works', () => {
  for (const text of Object.values(readPageAssets(findBuiltPages()))) {
    assert.ok(text !== '' && !text.includes('</'), 'fits into an element of a page');
  }
  const renderPage = prepareRenderPage(readPageAssets(undefined));
  const main = html`<form method="post"><button>Open</button></form>`;
  const { headers, body } = renderPage({
    language: 'en',
    brand: OWN_BRAND,
    title: 'Plain',
    tone: 'open',
    main,
    hasForm: true,
  });
  assert.ok(body.includes(main.markup), body);
  assert.doesNotMatch(body, /<style|<script/);
  const policy = headers[headers.indexOf('content-security-policy') + 1];
  assert.match(policy ?? '', /^default-src 'none'; img-src data:.*; form-action 'self' http: https:$/);
});

/** Returns every kind of visitor page in each language. */
async function pagesOf(service: TestService) {
  const links: [shortCode: string, headers: Record<string, string>][] = [
    [await createLink(service, { confirm: true }), {}],
    [await createLink(service, { password: 'secret' }), {}],
    [await createLink(service, { password: 'secret' }), { 'x-link-password': 'wrong' }],
    [await createLink(service), { 'sec-purpose': 'prefetch' }],
    ['unknown1', {}],
  ];
  const pages: { language: keyof typeof LANGUAGES; text: string }[] = [];
  for (const language of Object.keys(LANGUAGES).filter(isLanguage)) {
    for (const [shortCode, headers] of links) {
      const sent = { accept: NAVIGATION, 'accept-language': language, ...headers };
      pages.push({ language, text: (await openLink(service, shortCode, sent)).text });
    }
  }
  return pages;
}

test('every visitor page links to where abuse is reported', async () => {
  for (const [contact, href] of [
    ['abuse@links.example', 'mailto:abuse@links.example'],
    [`https://links.example/abuse?a='"&b`, 'https://links.example/abuse?a=%27%22&#38;b'],
  ] as const) {
    const service = await sharedService(`--app.abuse-contact=${contact}`);
    for (const { language, text } of await pagesOf(service)) {
      assert.ok(text.includes(`<a href="${href}">${TEXTS[language].abuse}</a>`), text);
    }
  }
});

test('the pages of ended and unknown links lead to the operator, and no others', async () => {
  const service = await sharedService('--app.contact=help@links.example');
  const usedUp = await createLink(service, { maxViews: 1 });
  await openLink(service, usedUp);
  const revoked = await createLink(service);
  await revokeLink(service, revoked);
  const expiresAt = new Date(service.clock.now + 1).toISOString();
  const expired = await createLink(service, { expiresAt });
  service.clock.now += 2;
  const confirmed = await createLink(service, { confirm: true });
  for (const language of Object.keys(LANGUAGES).filter(isLanguage)) {
    const isLinked = async (shortCode: string): Promise<boolean> => {
      const headers = { accept: 'text/html', 'accept-language': language };
      const { text } = await openLink(service, shortCode, headers);
      return text.includes(`<a href="mailto:help@links.example">${TEXTS[language].contact}</a>`);
    };
    for (const code of ['unknown1', usedUp, expired, revoked])
      assert.ok(await isLinked(code), `${language} ${code}`);
    assert.equal(await isLinked(confirmed), false);
  }
});

test('no visitor page mentions abuse reports without a contact', async () => {
  for (const { language, text } of await pagesOf(await sharedService())) {
    assert.ok(!text.includes(TEXTS[language].abuse), text);
  }
});
