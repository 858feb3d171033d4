import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeLingering, type LingerBounds } from '../../src/http/connection-end.ts';
import { openSocket, readResponse, type Server, type TestResponse } from '../support/http-client.ts';
import { createLink, linkState, openLink } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService } from '../support/service.ts';

const MIB = 1024 ** 2;
/** More than the buffers of both sides hold, so that the response is sent while the client still writes. */
const LARGE = Buffer.alloc(16 * MIB, 'x');
const CLOSE = 'Connection: close\r\n';

/** Writes a whole request, and reads nothing before its last byte is written. */
async function sendThenRead(service: Server, head: string, body: Buffer): Promise<TestResponse> {
  const socket = await openSocket(service);
  socket.pause();
  const written = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), body]), () => resolve());
  });
  await written;
  return readResponse(socket);
}

const post = (path: string, type: string, ...more: string[]): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${more.join('')}`;
const length = (body: Buffer): string => `Content-Length: ${body.length}\r\n`;
const inOneChunk = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);

const JSON_TYPE = 'application/json';
const FORM_TYPE = MULTIPART_HEADERS['content-type'];
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const LARGE_FORM = encodeForm([file(LARGE)]);
const LENGTH = length(LARGE);

const FLAGS = ['file', 'request'].map((what) => `--spring.servlet.multipart.max-${what}-size=1MB`);

const REQUESTS: [name: string, status: number, head: string, body?: Buffer][] = [
  ['JSON over 1 MiB', 413, post('/api/links', JSON_TYPE, LENGTH)],
  ['JSON over 1 MiB in chunks', 413, post('/api/links', JSON_TYPE, CHUNKED), inOneChunk(LARGE)],
  ['another content type', 415, post('/api/links', 'text/plain', LENGTH)],
  ['a malformed content type', 415, post('/api/links', 'nonsense', LENGTH, CLOSE)],
  ['a compressed body', 415, post('/api/links', JSON_TYPE, 'Content-Encoding: gzip\r\n', LENGTH, CLOSE)],
  ['an upload of another content type', 415, post('/api/links/upload', JSON_TYPE, LENGTH, CLOSE)],
  [
    'an upload over its limit',
    413,
    post('/api/links/upload', FORM_TYPE, length(LARGE_FORM), CLOSE),
    LARGE_FORM,
  ],
  [
    'an upload over its limit in chunks',
    413,
    post('/api/links/upload', FORM_TYPE, CHUNKED, CLOSE),
    inOneChunk(LARGE_FORM),
  ],
  ['a path without an endpoint', 404, post('/nothing', 'text/plain', LENGTH, CLOSE)],
  ['a method that the path lacks', 405, post('/api/stats/links', 'text/plain', LENGTH, CLOSE)],
  ['a visit with a body', 404, `GET /l/unknown1 HTTP/1.1\r\nHost: x\r\n${CLOSE}${LENGTH}`],
  ['a visit of HTTP/1.0', 404, `GET /l/unknown1 HTTP/1.0\r\n${LENGTH}`],
  ['a revocation with a body', 404, `DELETE /l/unknown1 HTTP/1.1\r\nHost: x\r\n${CLOSE}${LENGTH}`],
  [
    'a visit form that is too large',
    413,
    post('/l/unknown1', 'application/x-www-form-urlencoded', LENGTH, CLOSE),
  ],
  ['a visit form of another type', 415, post('/l/unknown1', 'text/plain', LENGTH, CLOSE)],
  ['no Host', 400, `POST /api/links HTTP/1.1\r\n${LENGTH}`],
  ['no HTTP', 400, 'hello\r\n'],
  ['headers that are too large', 431, 'GET / HTTP/1.1\r\nHost: x\r\nX: a', LARGE],
  ['a malformed chunk', 400, post('/api/links', JSON_TYPE, CHUNKED, '\r\nZZ')],
];

test('a client that writes its whole request before it reads gets the response', async (t) => {
  const service = await startService(t, { flags: FLAGS });
  for (const [name, status, head, body = LARGE] of REQUESTS) {
    await t.test(`${name}: ${status}`, async () => {
      const response = await sendThenRead(service, head, body);
      assert.equal(response.status, status, response.text);
      assert.equal(Object(JSON.parse(response.text)).status, status);
    });
  }
});

test('a connection that is closing serves no further request', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  const visit = Buffer.from(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const accepting = once(service.app.server, 'connection');
  const response = await sendThenRead(
    service,
    post('/api/links', JSON_TYPE, LENGTH),
    Buffer.concat([LARGE, visit]),
  );
  assert.equal(response.status, 413);
  const [accepted] = await accepting;
  if (!accepted.closed) await once(accepted, 'close');
  await openLink(service, 'unknown1'); // what the database was doing has ended
  assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
});

test('a connection that is closing can be cut off by a stop', async (t) => {
  const service = await startService(t);
  const socket = await openSocket(service);
  socket.write(`${post('/nothing', 'text/plain', LENGTH, CLOSE)}\r\nbeginning`);
  await once(socket, 'data'); // the response is here, and the body is not sent
  const stopping = service.stop();
  service.app.server.closeAllConnections();
  await stopping;
});

const UNBOUNDED: LingerBounds = { totalMs: 1e9, idleMs: 1e9, bytes: 1e9, checkEachMs: 10 };

/** Starts a server that says goodbye to each connection; returns a client's side of one. */
async function openClosingSocket(t: TestContext, bounds: LingerBounds): Promise<Socket> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined).resume();
    closeLingering(socket, 'goodbye', bounds);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const socket = await openSocket({ url: `http://127.0.0.1:${address.port}` });
  socket.allowHalfOpen = true;
  t.after(() => {
    socket.destroy();
    server.close();
  });
  const [goodbye] = await once(socket, 'data');
  assert.equal(String(goodbye), 'goodbye');
  return socket;
}

/** Writes until the other side has gone, with a pause before each write. Resolves to the number of bytes. */
async function writeUntilClosed(socket: Socket, chunk: Buffer, pauseMs: number): Promise<number> {
  let isClosed = false;
  socket.removeAllListeners('error').on('error', () => undefined);
  socket.once('close', () => {
    isClosed = true;
  });
  for (let bytes = 0; ; bytes += chunk.length) {
    if (isClosed) return bytes;
    await new Promise((resolve) => socket.write(chunk, resolve));
    await sleep(pauseMs);
  }
}

test('a client that does not stop sending is cut off', async (t) => {
  await t.test('a client is cut off after a number of bytes', async (t) => {
    const socket = await openClosingSocket(t, { ...UNBOUNDED, bytes: MIB });
    assert.ok((await writeUntilClosed(socket, Buffer.alloc(64 * 1024), 1)) >= MIB);
  });
  await t.test('a client is cut off after a time', async (t) => {
    const socket = await openClosingSocket(t, { ...UNBOUNDED, totalMs: 50 });
    await writeUntilClosed(socket, Buffer.from('x'), 1);
  });
  await t.test('a client is cut off after a time without a byte', async (t) => {
    const socket = await openClosingSocket(t, { ...UNBOUNDED, idleMs: 50 });
    await sleep(80);
    await writeUntilClosed(socket, Buffer.from('x'), 1);
  });
});
