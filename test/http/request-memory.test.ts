import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import { assertErrorRecord, openSocket, send, sendJson, until } from '../support/http-client.ts';
import { TARGET } from '../support/links.ts';
import { encodePart, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const JSON_TYPE = 'application/json';
const CHUNKS = 30_000;
/** A Buffer for each chunk takes 6 MB. */
const MAX_GROWTH_MB = 1;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function memoryMb(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

/** Sends a request without its end. Returns the connection once the service has read what was sent. */
async function sendUnfinished(
  service: TestService,
  { path, type, encoding }: { path: string; type: string; encoding: string },
  body: string,
): Promise<Socket> {
  const accepting = once(service.app.server, 'connection') as Promise<[Socket]>;
  const socket = await openSocket(service);
  const [accepted] = await accepting;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${encoding}\r\n\r\n`;
  socket.on('error', () => undefined).write(head + body);
  await until(() => accepted.bytesRead === head.length + body.length);
  return socket;
}

function sendTinyChunks(
  service: TestService,
  { path, type, begin }: Record<'path' | 'type' | 'begin', string>,
) {
  const chunks = [...begin, ...'x'.repeat(CHUNKS)].map((byte) => `1\r\n${byte}\r\n`).join('');
  return sendUnfinished(service, { path, type, encoding: 'Transfer-Encoding: chunked' }, chunks);
}

test('an unfinished body in chunks of one byte keeps little more than its bytes', async (t) => {
  const service = await startService(t);
  const upload = { path: '/api/links/upload', type: MULTIPART_HEADERS['content-type'] };
  const bulk = { path: '/api/links/bulk', type: JSON_TYPE, begin: '{"items":["' };
  const requests = {
    'a visit form': { path: '/l/x', type: 'application/x-www-form-urlencoded', begin: 'password=' },
    JSON: { path: '/api/links', type: JSON_TYPE, begin: '{"targetUrl":"' },
    'a file': { ...upload, begin: encodePart(file('')).toString().slice(0, -2) },
    'the header of a part': { ...upload, begin: encodePart(file('')).toString().slice(0, -4) },
    'many links': bulk,
    'many links that wait for their turn': bulk, // after those above, which are still being read
  };
  const sockets: Socket[] = [];
  for (const [name, request] of Object.entries(requests)) {
    await t.test(name, async () => {
      const before = memoryMb();
      sockets.push(await sendTinyChunks(service, request));
      const grownMb = memoryMb() - before;
      assert.ok(grownMb < MAX_GROWTH_MB, `the memory grew by ${grownMb.toFixed(1)} MB`);
    });
  }
  for (const socket of sockets) socket.destroy();
});

test('large JSON bodies of one client take turns, and small ones do not wait for them', async (t) => {
  const service = await startService(t);
  const path = '/api/links';
  const large = { targetUrl: TARGET, unknown: 'x'.repeat(40_000) };
  const unfinished = { path, type: JSON_TYPE, encoding: 'Content-Length: 40001' };
  const sockets: Socket[] = [];
  for (let sent = 0; sent < 11; sent++)
    sockets.push(await sendUnfinished(service, unfinished, 'x'.repeat(40_000)));
  const refused = await sendJson(service, path, large);
  assertErrorRecord(refused, { status: 503, message: /^Too much work is waiting/, path });
  assert.equal((await sendJson(service, path, { targetUrl: TARGET })).status, 201);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await sendJson(service, path, large)).status === 201);
});

test('a JSON body of too many values is refused', async (t) => {
  const service = await startService(t);
  const withValues = (count: number) => ({ targetUrl: TARGET, unknown: Array<number>(count - 2).fill(0) });
  assert.equal((await sendJson(service, '/api/links', withValues(50_000))).status, 201);
  const message = 'The request body must have at most 50000 JSON values';
  for (const path of ['/api/links', '/api/links/bulk', '/api/links/revoke'])
    assertErrorRecord(await sendJson(service, path, withValues(50_001)), { status: 413, message, path });
  const texts = { targetUrl: TARGET, unknown: `\\"${'[,{\\"'.repeat(20_000)}` };
  assert.equal((await sendJson(service, '/api/links', texts)).status, 201, 'what is in a text is no value');
});

test('requests that wait for the hashes of their passwords keep nothing of unknown members', async (t) => {
  const service = await startService(t, { passwords: createArgon2idHasher() });
  const body = JSON.stringify({ targetUrl: TARGET, password: 'open sesame', unknown: Array(9_000).fill({}) });
  const head = `POST /api/links HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const request = Buffer.from(head + body);
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(service)));
  const before = memoryMb();
  for (const socket of sockets) socket.write(request);
  await until(async () => {
    const { text } = await send(service, '/actuator/prometheus');
    return Number(/^secure_link_waiting_work\{queue="passwords"\} (\d+)/m.exec(text)?.[1]) >= 50;
  });
  const grownMb = memoryMb() - before;
  for (const socket of sockets) socket.destroy();
  assert.ok(grownMb < 10, `the memory grew by ${grownMb.toFixed(1)} MB, for 50 requests of 0.5 MB each`);
});
