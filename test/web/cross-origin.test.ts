import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';

const { browser } = await startBrowser();

/** Creates, opens, continues, replaces and uploads files. Returns the headers that the page may read of each response. */
async function useService(url: string): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  async function call(name: string, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(new URL(path, url), init);
    seen[name] = `${response.status} ${[...response.headers.keys()].join(' ')}`;
    return response;
  }
  const form = (text: string) => {
    const data = new FormData();
    data.append('file', new Blob([text]), 'a.txt');
    return data;
  };
  const created = await call('create', '/api/links/upload', { method: 'POST', body: form('content') });
  const { shortCode } = Object(await created.json());
  const token = created.headers.get('x-link-token') ?? '';
  await call('replace', `/api/links/${shortCode}/file`, {
    ...{ method: 'PUT', body: form('new content'), headers: { 'x-link-token': token } },
  });
  const opened = await call('open', `/l/${shortCode}`);
  const address = new URL(opened.headers.get('content-location') ?? '', opened.url).href;
  await call('continue', address, { headers: { range: 'bytes=4-' } });
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await call('begin', '/api/uploads', {
    ...{ method: 'POST', headers: { ...tus, 'upload-length': '4' } },
  });
  await call('send', begun.headers.get('location') ?? '', {
    ...{ method: 'PATCH', body: new Blob(['data']) },
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  });
  await call('ignored', '/api/links', {
    ...{ method: 'POST', body: '{"targetUrl":"https://example.com/","colour":1}' },
    headers: { 'content-type': 'application/json' },
  });
  return seen;
}

test('a page of an allowed origin reads every header, and replaces a file', async (t) => {
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>');
  }).listen(0, '127.0.0.1');
  t.after(() => site.close());
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo; // it listens on a port
  const origin = `http://127.0.0.1:${port}`;
  const service = await startService(t, { flags: [`--app.cors.allowed-origins=${origin}`] });
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(origin);
  const seen = await page.evaluate(useService, service.url);
  for (const [name, wanted] of Object.entries({
    create: '201 x-link-token x-link-fingerprint x-link-file-sha256 x-correlation-id',
    replace: '200 etag',
    open: '200 content-location accept-ranges etag content-disposition repr-digest',
    continue: '206 content-range',
    begin: '201 location upload-expires tus-resumable',
    send: '204 upload-offset upload-expires tus-resumable',
    ignored: '201 x-ignored-fields',
  }))
    for (const part of wanted.split(' '))
      assert.ok(seen[name]?.split(' ').includes(part), `${name}: ${seen[name]}`);
});
