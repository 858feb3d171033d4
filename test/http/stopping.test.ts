import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { openSocket, readResponse, send, until } from '../support/http-client.ts';
import { auditedResults, countRows, linkState, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const LARGE = Buffer.alloc(8 * 1024 ** 2, 'postern');

/** Opens a connection that fails when the service leaves it open, which would delay a stop for a minute. */
async function openImpatientSocket(service: TestService): Promise<Socket> {
  const socket = await openSocket(service);
  return socket.setTimeout(3_000, () => socket.destroy(new Error('the connection was not closed')));
}

test('a stop completes requests in flight, and closes every connection', async (t) => {
  await t.test('a download is completed', async (t) => {
    const service = await startService(t);
    const shortCode = await uploadFile(service, LARGE);
    const socket = await openImpatientSocket(service);
    socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    const stopping = service.stop();
    const response = await readResponse(socket);
    assert.equal(response.status, 200);
    assert.ok(response.body.equals(LARGE));
    await stopping;
  });
  await t.test('an upload is completed', async (t) => {
    const service = await startService(t);
    const form = encodeForm([file(LARGE)]);
    const socket = await openImpatientSocket(service);
    socket.write(
      `POST /api/links/upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_HEADERS['content-type']}\r\n` +
        `Content-Length: ${form.length}\r\n\r\n`,
    );
    socket.write(form.subarray(0, 1000));
    await until(() => service.storedFiles().length === 1);
    const stopping = service.stop();
    socket.write(form.subarray(1000));
    assert.equal((await readResponse(socket)).status, 201);
    await stopping;
    assert.equal(countRows(service, 'link'), 1);
  });
});

test('a request that is on its way when a stop begins gets its response', async (t) => {
  const service = await startService(t);
  const accepting = once(service.app.server, 'connection');
  const socket = await openImpatientSocket(service);
  await accepting;
  socket.write('GET /unknown HTTP/1.1\r\nHost: x\r\n\r\n');
  const stopping = service.stop();
  const response = await readResponse(socket);
  assert.deepEqual([response.status, response.headers['connection']], [404, 'close']);
  await stopping;
});

test('a request that arrives while the service is busy at a stop gets its response', async (t) => {
  const service = await startService(t);
  const accepting = once(service.app.server, 'connection');
  const socket = await openImpatientSocket(service);
  await accepting;
  const stopping = service.stop();
  await until(() => !service.app.server.listening);
  await new Promise(setImmediate);
  socket.write('GET /unknown HTTP/1.1\r\nHost: x\r\n\r\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000); // longer than idle connections stay open
  assert.equal((await readResponse(socket)).status, 404);
  await stopping;
});

test('an interrupted download has spent its view, and is no error of the service', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, LARGE, { fields: { maxViews: '1' } });
  const socket = await openSocket(service);
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  socket.resetAndDestroy();
  await until(() => service.logged().some(({ msg }) => msg === 'download_broken_off'));
  assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 1 });
  assert.deepEqual(auditedResults(service, shortCode), ['SUCCESS']);
  const ids = new Set(
    service
      .events()
      .slice(1)
      .map(({ correlationId }) => correlationId),
  );
  assert.equal(ids.size, 1, 'every line has the id of its request');
  assert.ok(service.logged().every(({ level }) => level !== 'error'));
});

/** One read of a file: its response is ended together with its only write. */
const ONE_CHUNK = Buffer.alloc(256 * 1024, 'postern');
/** Requests that are sent at once. Fewer than may wait on one connection. */
const PIPELINED = 16;
const READERS = 3;

/** A client that has not begun to read, and the responses that the service has begun to send to it. */
type Reader = { socket: Socket; responses: ServerResponse[]; received(): Buffer };

/** Opens a connection that is not read before `resume`. */
async function openReader(t: TestContext, service: TestService): Promise<Reader> {
  const socket = await openSocket(service);
  t.after(() => socket.destroy());
  const responses: ServerResponse[] = [];
  service.app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.remotePort === socket.localPort) responses.push(response);
  });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).pause();
  return { socket, responses, received: () => Buffer.concat(chunks) };
}

/** Returns true when the service has ended a response whose last bytes wait for the client. */
const isInTail = ({ responses }: Reader): boolean =>
  responses.some((response) => response.writableEnded && !response.writableFinished);

/** Sends requests until the buffers of the system are full of responses. */
async function fillConnection(reader: Reader, path: string): Promise<void> {
  const { socket, responses } = reader;
  for (let sent = 0; !isInTail(reader); sent += PIPELINED) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(PIPELINED));
    await until(() => isInTail(reader) || responses.filter(isSent).length === sent + PIPELINED);
  }
}

const isSent = ({ writableFinished }: ServerResponse): boolean => writableFinished;

/** Reads what is left, and returns the bodies of the responses, each of its announced length. */
async function readBodies({ socket, received }: Reader): Promise<Buffer[]> {
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
  const bodies: Buffer[] = [];
  for (let rest = received(); rest.length > 0; ) {
    const begin = rest.indexOf('\r\n\r\n') + 4;
    const length = /content-length: (\d+)/i.exec(rest.subarray(0, begin).toString('latin1'))?.[1];
    const end = begin + Number(length);
    assert.ok(rest.length >= end, `a response of ${end} bytes ended after ${rest.length}`);
    bodies.push(rest.subarray(begin, end));
    rest = rest.subarray(end);
  }
  return bodies;
}

/**
 * Begins a stop. Resolves when the service has destroyed an idle connection whose client does not react: what is still
 * open then stays open until its deadline.
 */
async function beginStop(t: TestContext, service: TestService): Promise<{ stopped: Promise<void> }> {
  const accepted: Promise<[Socket]> = once(service.app.server, 'connection') as Promise<[Socket]>;
  const { socket } = await openReader(t, service);
  const [idle] = await accepted;
  socket.allowHalfOpen = true; // it does not close its connection when the service does
  const destroyed = once(idle, 'close');
  const stopped = service.stop();
  await destroyed;
  return { stopped };
}

/** Fills connections until the last bytes of each one's response wait, and stops the service meanwhile. */
async function stopInTails(t: TestContext, service: TestService, path: string): Promise<Buffer[][]> {
  const readers: Reader[] = [];
  for (let opened = 0; opened < READERS; opened++) readers.push(await openReader(t, service));
  for (const reader of readers) await fillConnection(reader, path);
  const { stopped } = await beginStop(t, service);
  const bodies = await Promise.all(readers.map(readBodies));
  await stopped;
  return bodies;
}

describe('a stop', { concurrency: true }, () => {
  test('a stop completes downloads whose last bytes wait for their client', async (t) => {
    const service = await startService(t);
    const shortCode = await uploadFile(service, ONE_CHUNK);
    const bodies = (await stopInTails(t, service, `/l/${shortCode}`)).flat();
    assert.ok(bodies.length >= READERS);
    assert.ok(bodies.every((body) => body.equals(ONE_CHUNK)));
    assert.ok(service.logged().every(({ msg }) => msg !== 'download_broken_off'));
  });

  test('a stop completes a JSON document whose last bytes wait for their client', async (t) => {
    const service = await startService(t);
    const { body } = await send(service, '/openapi.json');
    const bodies = (await stopInTails(t, service, '/openapi.json')).flat();
    assert.ok(bodies.length >= READERS);
    assert.ok(bodies.every((received) => received.equals(body)));
  });
});
