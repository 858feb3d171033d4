import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import test from 'node:test';
import { openSocket, readResponse, until } from '../support/http-client.ts';
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
      .logged()
      .slice(1)
      .map(({ correlationId }) => correlationId),
  );
  assert.equal(ids.size, 1, 'every line has the id of its request');
  assert.ok(service.logged().every(({ level }) => level !== 'error'));
});
