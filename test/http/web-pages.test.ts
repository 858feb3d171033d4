import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CURRENT_BUILD, findBuiltPages } from '../../src/http/built-pages.ts';
import { buildPages } from '../support/build-pages.ts';
import { assertErrorRecord, json, member, send, type TestResponse } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const PAGES = ['/', '/dashboard', '/sign-in', '/links', '/links/anything', '/verify', '/docs'];

/** Returns the paths of the assets in a page's markup. */
function assetsOf({ text }: TestResponse): string[] {
  return [...text.matchAll(/(?:src|href)="\.{1,2}(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

test('the pages of the service', async (t) => {
  const service = await startService(t);
  for (const path of PAGES) {
    await t.test(
      `GET ${path} is a page that loads only files of this service, and has nothing inline`,
      async () => {
        const page = await send(service, path);
        assert.partialDeepStrictEqual(page.headers, {
          'content-type': 'text/html; charset=utf-8',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        });
        const policy = String(page.headers['content-security-policy']).split('; ').sort();
        assert.deepEqual(policy, [
          "base-uri 'none'",
          `connect-src '${path === '/verify' ? 'none' : 'self'}'`,
          "default-src 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "img-src 'self'",
          ...(path === '/' ? ["manifest-src 'self'"] : []),
          "require-trusted-types-for 'script'",
          "script-src 'self'",
          "style-src 'self'",
          ['/', '/verify'].includes(path) ? 'trusted-types worker' : "trusted-types 'none'",
        ]);
        assert.doesNotMatch(page.text, /<style|\son\w+=|\sstyle=|javascript:|<script(?![^>]* src=)/i);
        assert.doesNotMatch(page.text, /(?:src|href)="(?:\w+:)?\/\//, 'no other host');
        const head = await send(service, path, { method: 'HEAD' });
        for (const name of ['content-length', 'etag'])
          assert.equal(head.headers[name], page.headers[name], name);
        assert.deepEqual([page.status, head.status, head.text], [200, 200, '']);
        const response = await send(service, path, { method: 'POST' });
        assertErrorRecord(response, { status: 405, message: /GET, HEAD/, path });
      },
    );
    await t.test(`the assets of ${path} have a type and are cached forever`, async () => {
      const assets = assetsOf(await send(service, path));
      assert.ok(path === '/docs' || assets.some((asset) => asset.endsWith('.js')));
      assert.ok(assets.some((asset) => asset.endsWith('.css')));
      for (const asset of assets) {
        const { status, headers } = await send(service, asset);
        assert.equal(status, 200, asset);
        assert.match(String(headers['content-type']), /^(text\/(javascript|css)|image\/svg\+xml)/);
        assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.equal(headers['x-content-type-options'], 'nosniff');
      }
    });
    await t.test(`${path} is revalidated each time, and sent only when it has changed`, async () => {
      const etag = String((await send(service, path)).headers.etag);
      for (const known of [etag, `"other", ${etag}`, '*']) {
        const { status, text, headers } = await send(service, path, { headers: { 'if-none-match': known } });
        assert.deepEqual([status, text, headers.etag], [304, '', etag], known);
      }
      assert.equal((await send(service, path, { headers: { 'if-none-match': 'W/"other"' } })).status, 200);
    });
  }
  await t.test('a file is sent in the smallest encoding that the client accepts', async () => {
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
      for (const { headers } of [whole, br, gzip]) {
        assert.equal(headers.vary, 'accept-encoding');
        assert.equal(headers['content-type'], whole.headers['content-type']);
      }
    }
    const CASES: [accept: string, encoding: string | undefined][] = [
      ['', undefined],
      ['identity', undefined],
      ['BR', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['gzip;q=0.5 , br ; q=0.000', 'gzip'],
      ['*', 'gzip'],
      ['gzip;q=0', undefined],
      ['brotli, x-gzip', undefined],
    ];
    for (const [accept, encoding] of CASES) {
      const { headers } = await send(service, script, { headers: { 'accept-encoding': accept } });
      assert.equal(headers['content-encoding'], encoding, `Accept-Encoding: ${accept}`);
    }
  });

  await t.test('only built files are below /assets/', async () => {
    const asset = assetsOf(await send(service, '/')).find((path) => path.endsWith('.js')) ?? '';
    for (const path of [
      ...['/assets/', '/assets/nothing.js', '/assets/constructor', '/assets/__proto__', `${asset}.br`],
      ...[
        '/assets/..%2findex.html',
        '/assets/..%2f..%2f..%2fpackage.json',
        '/assets/%2e%2e%2fsources.sha256',
      ],
      ...[`/assets/${'a'.repeat(300)}.js`, '/sources.sha256', '/index.html', '/visitor/page.js', '/current'],
    ])
      assert.equal((await send(service, path)).status, 404, path);
  });

  await t.test('a short code never collides with a page', async () => {
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
  await t.test('a file is sent whole to a client that names a range or a precondition', async () => {
    const [asset = ''] = assetsOf(await send(service, '/'));
    for (const path of ['/', asset, '/docs']) {
      const whole = await send(service, path);
      for (const headers of [
        { range: 'bytes=999999999-' },
        { range: 'bytes=,' },
        { range: 'bytes=0-1' },
        { 'if-match': '"x"' },
        { 'if-unmodified-since': 'Wed, 21 Oct 2015 07:28:00 GMT' },
      ]) {
        const response = await send(service, path, { headers });
        assert.equal(response.status, 200, `${path} ${JSON.stringify(headers)}`);
        assert.equal(response.text, whole.text);
      }
    }
  });
});

test('without built pages the API works, and a page explains how to build them', async (t) => {
  const service = await startService(t, { buildsDirectory: temporaryDirectory(t) });
  assert.equal(service.hasPages, false);
  for (const path of PAGES) {
    const { status, text } = await send(service, path);
    assert.equal(status, 503);
    assert.match(text, /npm run build/);
  }
  assert.equal((await send(service, '/assets/index.js')).status, 404);
  assert.equal((await openLink(service, await createLink(service))).status, 302);
  assert.equal(member(json(await send(service, '/actuator/health/liveness')), 'status'), 'UP');
});

test('a built file that disappears gets 404', async (t) => {
  const { builds, build } = copyBuild(t);
  const service = await startService(t, { buildsDirectory: builds });
  const page = await send(service, '/');
  const [asset = ''] = assetsOf(page);
  rmSync(join(build, asset));
  for (const ending of ['.br', '.gz']) rmSync(join(build, `${asset}${ending}`), { force: true });
  assertErrorRecord(await send(service, asset), { status: 404, message: /./, path: asset });
  rmSync(build, { recursive: true });
  assertErrorRecord(await send(service, '/dashboard'), { status: 404, message: /./, path: '/dashboard' });
  assert.equal((await openLink(service, await createLink(service))).status, 302);
});

test('a service keeps serving the build that it started with', async (t) => {
  const { builds } = copyBuild(t);
  const service = await startService(t, { buildsDirectory: builds });
  const before = await send(service, '/');
  mkdirSync(join(builds, 'build-next'));
  writeFileSync(join(builds, CURRENT_BUILD), 'build-next');
  assert.equal((await send(service, '/')).text, before.text);
  for (const asset of assetsOf(before)) assert.equal((await send(service, asset)).status, 200);
});

test('the ETag of a page depends on its content, not on the size and time of its file', async (t) => {
  const etagOf = async (change: (html: string) => string, time: Date) => {
    const { builds, build } = copyBuild(t);
    const page = join(build, 'index.html');
    writeFileSync(page, change(readFileSync(page, 'utf8')));
    utimesSync(page, time, time);
    const service = await startService(t, { buildsDirectory: builds });
    return (await send(service, '/')).headers.etag;
  };
  const [same, changed] = [(html: string) => html, (html: string) => html.replace('Postern', 'Pastern')];
  const [first, later] = [new Date('1985-10-26T08:15:00Z'), new Date('2026-01-01T00:00:00Z')];
  assert.equal(await etagOf(same, first), await etagOf(same, later));
  assert.notEqual(await etagOf(same, first), await etagOf(changed, first));
});

/** Copies the current build into a directory of this test. */
function copyBuild(t: TestContext): { builds: string; build: string } {
  buildPages();
  const builds = temporaryDirectory(t);
  const build = join(builds, 'build-copy');
  cpSync(findBuiltPages() ?? '', build, { recursive: true });
  writeFileSync(join(builds, CURRENT_BUILD), 'build-copy');
  return { builds, build };
}
