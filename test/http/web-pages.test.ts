import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { BUILT_PAGES, digestOfSources, STAGING } from '../../src/build-pages.ts';
import { chooseEncoding } from '../../src/http/web-files.ts';
import { assertErrorRecord, json, member, send, type TestResponse } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const PAGES = ['/', '/dashboard'];

/** What a page loads, as its markup names it. */
function assetsOf({ text }: TestResponse): string[] {
  return [...text.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

test('the pages of the service', async (t) => {
  const service = await startService(t);
  for (const path of PAGES) {
    await t.test(
      `GET ${path} is a page that runs only files of this service, and nothing inline`,
      async () => {
        const page = await send(service, path);
        assert.equal(page.status, 200);
        assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
        assert.equal(page.headers['x-content-type-options'], 'nosniff');
        assert.equal(page.headers['referrer-policy'], 'no-referrer');
        const policy = String(page.headers['content-security-policy']).split('; ').sort();
        assert.deepEqual(policy, [
          "base-uri 'none'",
          "connect-src 'self'",
          "default-src 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "img-src 'self'",
          "require-trusted-types-for 'script'",
          "script-src 'self'",
          "style-src 'self'",
          "trusted-types 'none'",
        ]);
        assert.doesNotMatch(page.text, /<style|\son\w+=|\sstyle=|javascript:|<script(?![^>]* src=)/i);
        assert.doesNotMatch(page.text, /(?:src|href)="(?:\w+:)?\/\//, 'nothing from elsewhere');
      },
    );
    await t.test(`what ${path} loads is there, with its type, and is kept for good`, async () => {
      const assets = assetsOf(await send(service, path));
      assert.ok(
        assets.some((asset) => asset.endsWith('.js')) && assets.some((asset) => asset.endsWith('.css')),
      );
      for (const asset of assets) {
        const file = await send(service, asset);
        assert.equal(file.status, 200, asset);
        assert.match(String(file.headers['content-type']), /^(text\/(javascript|css)|image\/svg\+xml)/);
        assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.equal(file.headers['x-content-type-options'], 'nosniff');
      }
    });
    await t.test(`${path} is asked for each time, and sent only when it has changed`, async () => {
      const { headers } = await send(service, path);
      assert.equal(headers['cache-control'], 'no-cache');
      const etag = String(headers.etag);
      for (const known of [etag, `"other", ${etag}`, '*']) {
        const again = await send(service, path, { headers: { 'if-none-match': known } });
        assert.equal(again.status, 304, known);
        assert.equal(again.text, '');
        assert.equal(again.headers.etag, etag);
      }
      assert.equal((await send(service, path, { headers: { 'if-none-match': 'W/"other"' } })).status, 200);
    });
    await t.test(`HEAD ${path} is the same without a body`, async () => {
      const page = await send(service, path);
      const head = await send(service, path, { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.equal(head.headers['content-length'], page.headers['content-length']);
      assert.equal(head.headers.etag, page.headers.etag);
      assert.equal(head.text, '');
    });
    await t.test(`POST ${path} is refused`, async () => {
      const answer = await send(service, path, { method: 'POST' });
      assertErrorRecord(answer, { status: 405, message: /GET, HEAD/, path });
    });
  }

  await t.test('files are sent in the smallest form that the client takes', async () => {
    const script = assetsOf(await send(service, '/')).find((asset) => asset.endsWith('.js')) ?? '';
    const plain = await send(service, script);
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const path of ['/', script]) {
      const whole = await send(service, path);
      const br = await send(service, path, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
      assert.equal(br.headers['content-encoding'], 'br');
      assert.deepEqual(brotliDecompressSync(br.body), whole.body);
      const gzip = await send(service, path, { headers: { 'accept-encoding': 'gzip, br;q=0' } });
      assert.equal(gzip.headers['content-encoding'], 'gzip');
      assert.deepEqual(gunzipSync(gzip.body), whole.body);
      for (const { headers } of [whole, br, gzip]) assert.equal(headers.vary, 'accept-encoding');
    }
  });

  await t.test('nothing but built files is below /assets/', async () => {
    const asset = assetsOf(await send(service, '/')).find((path) => path.endsWith('.js')) ?? '';
    for (const path of [
      '/assets/',
      '/assets/nothing.js',
      `${asset}.br`,
      '/assets/..%2findex.html',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/assets/%2e%2e%2fsources.sha256',
      '/sources.sha256',
      '/index.html',
      '/assets/constructor',
      '/assets/__proto__',
    ]) {
      const { status } = await send(service, path);
      assert.equal(status, 404, path);
    }
  });

  await t.test('a short code meets no page', async () => {
    for (const code of ['dashboard', 'assets', 'docs']) {
      assert.equal((await openLink(service, code)).status, 404);
    }
    assert.equal((await openLink(service, await createLink(service))).status, 302);
  });

  await t.test('requests for assets are counted under one name', async () => {
    const { text } = await send(service, '/actuator/prometheus');
    assert.match(text, /uri="\/assets\/:name"/);
    assert.doesNotMatch(text, /uri="\/assets\/index-/);
  });
});

test('without built pages the interface works, and a page tells how to build them', async (t) => {
  const service = await startService(t, { pagesDirectory: temporaryDirectory(t) });
  assert.equal(service.hasPages, false);
  for (const path of PAGES) {
    const { status, text } = await send(service, path);
    assert.equal(status, 503);
    assert.match(text, /npm run build/);
  }
  assert.equal((await openLink(service, await createLink(service))).status, 302);
  assert.equal(member(json(await send(service, '/actuator/health/liveness')), 'status'), 'UP');
});

test('what another process builds meanwhile is no source of the pages', (t) => {
  const before = digestOfSources();
  const staging = mkdtempSync(join(dirname(BUILT_PAGES), STAGING));
  t.after(() => rmSync(staging, { recursive: true }));
  writeFileSync(join(staging, 'half.js'), 'half');
  assert.equal(digestOfSources(), before);
});

test('the encoding of a file is chosen by what the client accepts', () => {
  const file = {
    contentType: 'text/css',
    etag: '""',
    bytes: Buffer.from('plain'),
    br: Buffer.from('br'),
    gzip: Buffer.from('gzip'),
  };
  const CASES: [accept: string | undefined, sent: string][] = [
    [undefined, 'plain'],
    ['', 'plain'],
    ['identity', 'plain'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['BR', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['gzip;q=0.5 , br ; q=0.000', 'gzip'],
    ['*', 'gzip'],
    ['*, gzip;q=0', 'plain'],
    ['gzip;q=0', 'plain'],
    ['brotli, x-gzip', 'plain'],
  ];
  for (const [accept, sent] of CASES) {
    assert.equal(String(chooseEncoding(file, accept).bytes), sent, `Accept-Encoding: ${accept}`);
  }
  assert.equal(String(chooseEncoding({ ...file, br: file.bytes }, 'br').bytes), 'plain');
  const { bytes } = chooseEncoding({ contentType: '', etag: '', bytes: file.bytes }, 'br, gzip');
  assert.equal(String(bytes), 'plain', 'what is too small to be compressed');
});
