import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import test from 'node:test';
import { inSequence, MAX_WAITING_REQUESTS } from '../../src/http/server.ts';
import { openSocket, readResponse, send, until } from '../support/http-client.ts';
import { auditRecords, createLink, linkState, uploadFile } from '../support/links.ts';
import { startService } from '../support/service.ts';

const visit = 'GET /l/a HTTP/1.1\r\nHost: x\r\n\r\n';

test('a connection that pipelines 50,000 visits is cut off after a few', async (t) => {
  const service = await startService(t);
  const socket = await openSocket(service);
  socket.on('error', () => undefined).resume();
  const closing = new Promise((resolve) => socket.once('close', resolve)); // after a reset, too
  socket.write(visit.repeat(50_000));
  await Promise.race([closing, until(() => auditRecords(service).length > MAX_WAITING_REQUESTS + 1)]);
  assert.ok(auditRecords(service).length <= MAX_WAITING_REQUESTS + 1, 'each waiting visit is a record');
  const { text } = await send(service, '/actuator/prometheus');
  assert.match(text, /http_server_connections_cut_off_total\{reason="pipelining"\} 1/);
});

test('ordinary amounts of pipelined requests to any route get their responses in order', async (t) => {
  const service = await startService(t);
  const socket = await openSocket(service);
  const paths = Array.from({ length: MAX_WAITING_REQUESTS }, (_, n) =>
    n % 2 === 0 ? `/l/unknown${n}` : `/api/links/unknown${n}`,
  );
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  await until(() => text.includes(`unknown${paths.length - 1}"`));
  socket.destroy();
  assert.deepEqual(
    [...text.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path),
    paths,
  );
});

for (const count of [MAX_WAITING_REQUESTS + 2, 40, 20_000]) {
  test(`a client that pipelines ${count} visits gets the response to each view it spends`, async (t) => {
    const service = await startService(t);
    const shortCode = await createLink(service);
    const socket = await openSocket(service);
    socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count));
    const response = await readResponse(socket);
    assert.equal(response.status, 302);
    assert.equal(response.text, '', 'no other response follows');
    assert.equal(linkState(service, shortCode).viewCount, 1);
  });
}

test('a download completes although too many requests wait behind it', async (t) => {
  const service = await startService(t);
  const content = Buffer.alloc(16 * 1024 ** 2, 'x');
  const shortCode = await uploadFile(service, content);
  const socket = await openSocket(service);
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n${visit.repeat(2 * MAX_WAITING_REQUESTS)}`);
  const { body } = await readResponse(socket);
  assert.ok(body.equals(content));
});

test('requests of a connection are served one after another', async (t) => {
  const begun: ServerResponse[] = [];
  const server = createServer(inSequence((_, response) => begun.push(response), assert.fail));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const socket = await openSocket({ url: `http://127.0.0.1:${address.port}` });
  t.after(() => {
    socket.destroy();
    server.close();
  });
  let requests = 0;
  server.on('request', () => {
    requests += 1;
  });
  socket.resume().write(visit.repeat(MAX_WAITING_REQUESTS + 1));
  await until(() => requests === MAX_WAITING_REQUESTS + 1);
  for (let count = 1; count <= MAX_WAITING_REQUESTS + 1; count++) {
    await until(() => begun.length >= count);
    assert.equal(begun.length, count, 'the next request begins when the one before it has ended');
    begun.at(-1)?.end();
  }
});
