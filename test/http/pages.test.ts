import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import test from 'node:test';
import { TEXTS } from '../../src/http/pages/texts/texts.ts';
import { assertErrorRecord, send, sendJson, type TestResponse } from '../support/http-client.ts';
import {
  createLink,
  openLink,
  revokeLink,
  storedFileOf,
  uploadFile,
  WAYS_OF_VISITS,
} from '../support/links.ts';
import { startService } from '../support/service.ts';

/** What a browser sends when somebody follows a link. */
/** What a page may weigh with everything that belongs to it: what a fresh connection carries in its first flight. */
const MAX_PAGE_BYTES = 14_000;

const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page that loads nothing, runs nothing but its own script beside a form, is framed nowhere, and weighs little. */
function assertPage(answer: TestResponse): void {
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['vary']?.replace(/^Origin, /, ''), 'Accept, Accept-Language');
  assert.match(answer.text, /^<!doctype html>\n<html lang="[a-z]{2}">/);
  assert.ok(answer.body.length < MAX_PAGE_BYTES, `${answer.body.length} bytes`);
  const hasForm = answer.text.includes('<form');
  assert.equal(answer.headers['referrer-policy'], hasForm ? 'same-origin' : 'no-referrer');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(answer.text) ?? [];
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(answer.text) ?? [];
  assert.equal(script !== '', hasForm);
  const policy = String(answer.headers['content-security-policy']).split('; ').sort();
  assert.deepEqual(policy, [
    "base-uri 'none'",
    ...(hasForm ? ["connect-src 'self'"] : []),
    "default-src 'none'",
    hasForm ? "form-action 'self' http: https:" : "form-action 'none'",
    "frame-ancestors 'none'",
    'img-src data:',
    ...(hasForm ? [`script-src ${hashOf(script)}`] : []),
    `style-src ${hashOf(style)}`,
  ]);
  const markup = answer.text.replace(`<script>${script}</script>`, '');
  assert.doesNotMatch(
    markup.replace('<link rel="icon" href="data:', ''),
    /<(script|img|iframe|link|object|embed)\b|\son\w+=|\sstyle=|javascript:|(?:src|href|action)="[^"]/i,
  );
}

for (const [way, options] of WAYS_OF_VISITS) {
  test(`a failure is the error record, unless the visitor is a browser${way}`, async (t) => {
    const service = await startService(t, options);
    const revoked = await createLink(service);
    await revokeLink(service, revoked);
    const expired = await createLink(service, { expiresAt: '2026-06-15T12:00:01Z' });
    const locked = await createLink(service, { password: 'secret' });
    service.clock.now += 2_000;
    const spent = await createLink(service, { maxViews: 1 });
    await openLink(service, spent);
    const missing = await uploadFile(service);
    rmSync(storedFileOf(service, missing));
    const { notices, password } = TEXTS.en;
    const failures: [path: string, status: number, message: string, told: string, password?: string][] = [
      ['/l/unknown1', 404, 'Link not found', notices.NOT_FOUND.title],
      ['/l/%ZZ', 404, 'Link not found', notices.NOT_FOUND.title],
      [`/l/${missing}`, 404, 'File not found', notices.FILE_NOT_FOUND.title],
      [`/l/${revoked}`, 410, 'Link has been revoked', notices.REVOKED.title],
      [`/l/${expired}`, 410, 'Link has expired', notices.EXPIRED.title],
      [`/l/${spent}`, 410, 'Link has reached its view limit', notices.VIEW_LIMIT_REACHED.title],
      [`/l/${locked}`, 401, 'Password required', password.title],
      [`/l/${locked}`, 401, 'Invalid password', password.wrong, 'wrong'],
    ];
    const records = [
      undefined,
      '',
      '*/*',
      'application/json',
      'text/html, application/json',
      'application/json,text/html',
    ];
    const pages = ['text/html', NAVIGATION, 'text/html;q=0.9,*/*;q=0.1'];

    for (const [path, status, message, told, sent] of failures) {
      const headers: Record<string, string> = sent === undefined ? {} : { 'x-link-password': sent };
      for (const accept of [...records, 'application/xhtml+xml', 'text/plain', 'image/*']) {
        await t.test(`${message}, for Accept: ${accept}: the record`, async () => {
          const answer = await send(service, path, {
            headers: { ...headers, ...(accept !== undefined && { accept }) },
          });
          assertErrorRecord(answer, { status, message, path });
          assert.equal(answer.headers['content-security-policy'], undefined);
        });
      }
      for (const accept of pages) {
        await t.test(`${message}, for Accept: ${accept}: a page of the same status`, async () => {
          const answer = await send(service, path, { headers: { ...headers, accept } });
          assert.equal(answer.status, status);
          assert.ok(answer.text.includes(told), answer.text);
          assertPage(answer);
        });
      }
    }

    await t.test('a page of a 401 still names a way to authenticate', async () => {
      const answer = await openLink(service, locked, { accept: NAVIGATION });
      assert.ok(answer.headers['www-authenticate']);
    });
    await t.test('HEAD has the headers of the page and no body', async () => {
      const answer = await send(service, '/l/unknown1', { method: 'HEAD', headers: { accept: NAVIGATION } });
      assert.equal(answer.status, 404);
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(answer.text, '');
    });
    await t.test('a visitor who may pass is sent on, and sees no page', async () => {
      const answer = await openLink(service, await createLink(service), { accept: NAVIGATION });
      assert.equal(answer.status, 302);
      assert.equal(answer.text, '');
    });
  });
}

test('programs always get the record, whatever they accept', async (t) => {
  const service = await startService(t);
  const headers = { accept: NAVIGATION };
  for (const path of ['/nothing', '/api/stats/nothing', '/api/stats/links/top?limit=0', '/lx', '/l']) {
    const answer = await send(service, path, { headers });
    const status = path.includes('limit') ? 400 : 404;
    assertErrorRecord(answer, { status, message: /./, path: path.replace(/\?.*/, '') });
  }
  const answer = await send(service, '/api/links', { method: 'POST', headers });
  assert.equal(STATUS_CODES[answer.status], 'Bad Request');
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
});

for (const [way, options] of WAYS_OF_VISITS) {
  test(`what a visitor sends stays text${way}`, async (t) => {
    const service = await startService(t, options);
    const markup = '"><svg/onload=alert(1)><script>alert(1)</script>&lt;\'';
    for (const path of [
      encodeURIComponent(markup),
      '%22%3E%3Csvg%20onload=alert(1)%3E',
      `%ZZ<b>'"`,
      `x?<script>`,
    ]) {
      for (const method of ['GET', 'PUT']) {
        await t.test(`${method} /l/${path}`, async () => {
          const headers = {
            accept: NAVIGATION,
            'user-agent': markup,
            'x-correlation-id': markup,
            referer: markup,
          };
          const answer = await send(service, `/l/${path}`, { method, headers });
          assert.equal(answer.status, method === 'GET' ? 404 : 405);
          if (method === 'GET') assertPage(answer);
          if (answer.headers['content-type'] !== 'application/json; charset=utf-8') {
            assert.doesNotMatch(answer.text, /<script|<b>|onload/);
          }
          assert.equal(answer.headers['x-content-type-options'], 'nosniff');
        });
      }
    }
  });
}

for (const [way, options] of WAYS_OF_VISITS) {
  test(`a browser that shows what it prefetched finds a page to open the link from${way}`, async (t) => {
    const service = await startService(t, options);
    const shortCode = await createLink(service, { targetUrl: 'https://secret-target.example/' });
    const answer = await openLink(service, shortCode, { 'sec-purpose': 'prefetch', accept: NAVIGATION });
    assert.equal(answer.status, 200);
    assertPage(answer);
    assert.match(answer.text, /<a href="">/);
    assert.doesNotMatch(answer.text, /secret-target/);
  });
}

test('a page tells no more than the record does', async (t) => {
  const service = await startService(t);
  const { text } = await sendJson(service, '/api/links', {
    targetUrl: 'https://secret-target.example/',
    password: 'x',
  });
  const shortCode = String(JSON.parse(text).shortCode);
  const page = await openLink(service, shortCode, { accept: NAVIGATION });
  assert.equal(page.status, 401);
  assert.doesNotMatch(page.text, new RegExp(`secret-target|${shortCode}`));
});
