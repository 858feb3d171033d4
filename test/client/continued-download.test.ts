import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { readContinued } from '../../client/continued-download.ts';

async function startServer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // of TCP
}

/** Starts a service whose download breaks off, and names another address to continue it. */
const startBroken = (t: TestContext, toAddress: (url: string) => string, next?: RequestListener) =>
  startServer(t, (request, response) => {
    if (request.headers.range !== undefined && next) return next(request, response);
    const url = `http://${request.headers.host}`;
    response.writeHead(200, {
      'content-length': 10,
      'content-location': toAddress(url),
      connection: 'close',
    });
    response.write('begin', () => response.destroy());
  });

async function download(url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readContinued(await fetch(`${url}/l/code`))) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a download is continued at the address that its service names', async (t) => {
  const url = await startBroken(
    t,
    () => './code/lease/a.txt',
    ({ url: path, headers }, response) => {
      assert.deepEqual([path, headers.range], ['/l/code/lease/a.txt', 'bytes=5-']);
      response.writeHead(206).end(' end!');
    },
  );
  assert.equal(await download(url), 'begin end!');
});

test('a download is continued at no other service, which a response names or redirects to', async (t) => {
  const asked: unknown[] = [];
  const other = await startServer(t, (request, response) => {
    asked.push(request.url);
    response.writeHead(206).end(' evil');
  });
  await assert.rejects(download(await startBroken(t, () => `${other}/l/code/lease`)));
  await assert.rejects(download(await startBroken(t, () => `//${new URL(other).host}/lease`)));
  const redirecting = startBroken(
    t,
    () => './code/lease',
    (_, response) => void response.writeHead(307, { location: `${other}/lease` }).end(),
  );
  await assert.rejects(download(await redirecting), /it cannot be continued after 5 bytes \(HTTP 307\)/);
  assert.deepEqual(asked, []);
});
