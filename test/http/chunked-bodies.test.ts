import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { discardInTurns, RequestWithJoinedChunks } from '../../src/http/read-body.ts';

/** Sends a body in these chunks, all at once. Returns the request that a server gets, and its response. */
async function receive(
  t: TestContext,
  chunks: readonly Buffer[],
): Promise<{ request: IncomingMessage; response: ServerResponse }> {
  const server = createServer({ IncomingMessage: RequestWithJoinedChunks }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => {
    socket.destroy();
    server.close();
  });
  const head = Buffer.from('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const encoded = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  socket.write(Buffer.concat([head, ...encoded, Buffer.from('0\r\n\r\n')]));
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { request, response };
}

test('a body of chunks of any size arrives whole, in few chunks', async (t) => {
  const sizes = [
    1,
    2,
    16_383,
    1,
    16_384,
    16_385,
    5,
    100_000,
    ...Array<number>(3_000).fill(7),
    9_000,
    9_000,
    1,
  ];
  const chunks = sizes.map((size, index) => Buffer.alloc(size, index % 251));
  const { request } = await receive(t, chunks);
  let received = 0;
  request.on('data', () => {
    received += 1;
  });
  assert.deepEqual(await buffer(request), Buffer.concat(chunks));
  assert.ok(received < 20, `${received} chunks`);
});

test('a body that is not read is not buffered beyond the mark of the stream', async (t) => {
  for (const bytes of [1_500, 16_000, 16_384]) {
    const { request } = await receive(
      t,
      Array<Buffer>(Math.ceil(4_000_000 / bytes)).fill(Buffer.alloc(bytes)),
    );
    const { socket } = request;
    for (let before = -1; socket.bytesRead > before; await new Promise((resolve) => setTimeout(resolve, 20)))
      before = socket.bytesRead;
    assert.ok(request.readableLength < 262_144, `${request.readableLength} bytes of chunks of ${bytes}`);
    assert.equal((await buffer(request)).length, Math.ceil(4_000_000 / bytes) * bytes, 'it arrives later');
  }
});

/** Returns the most bytes that a server reads of a request in one turn of the event loop, until all have arrived. */
async function measureTurns(request: IncomingMessage): Promise<number> {
  let readBytes = request.socket.bytesRead;
  let mostBytes = 0;
  while (!request.complete) {
    await new Promise(setImmediate);
    mostBytes = Math.max(mostBytes, request.socket.bytesRead - readBytes);
    readBytes = request.socket.bytesRead;
  }
  return mostBytes;
}

test('a body of many small chunks is read in turns, of 64 KiB at most', async (t) => {
  const { request } = await receive(t, Array<Buffer>(100_000).fill(Buffer.from('x')));
  const [mostBytes, body] = await Promise.all([measureTurns(request), buffer(request)]);
  assert.equal(body.length, 100_000);
  assert.ok(mostBytes > 0 && mostBytes <= 64 * 1024, `${mostBytes} bytes in one turn`);
});

test('the rest of a body whose response did not wait for it is discarded in turns', async (t) => {
  const { request, response } = await receive(t, Array<Buffer>(100_000).fill(Buffer.from('x')));
  discardInTurns(request, response);
  response.end();
  const mostBytes = await measureTurns(request);
  assert.ok(mostBytes > 0 && mostBytes <= 64 * 1024, `${mostBytes} bytes in one turn`);
});
