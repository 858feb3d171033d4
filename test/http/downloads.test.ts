import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parse } from 'node:path';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openSocket, until } from '../support/http-client.ts';
import { storedFileOf, uploadFile } from '../support/links.ts';
import { scrape } from '../support/prometheus.ts';
import { startService, type TestService } from '../support/service.ts';

/** More than the system buffers for a client that does not read. */
const LARGE_BYTES = 16 * 1024 ** 2;
const LARGE = randomBytes(LARGE_BYTES);

async function requestFile(service: TestService, shortCode: string): Promise<Socket> {
  const socket = await openSocket(service);
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return socket;
}

/** Reads the body of a response, a little at a time. */
async function readSlowly(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk);
    await setImmediate();
  }
  const response = Buffer.concat(chunks);
  return response.subarray(response.indexOf('\r\n\r\n') + 4);
}

test('a download gets its own bytes while many others are broken off', async (t) => {
  const service = await startService(t);
  const contents = [randomBytes(12 * 1024 ** 2), randomBytes(12 * 1024 ** 2)];
  const [first = '', second = ''] = await Promise.all(
    contents.map((content) => uploadFile(service, content)),
  );
  const leaving = await Promise.all(Array.from({ length: 12 }, () => requestFile(service, first)));
  await Promise.all(leaving.map((socket) => once(socket, 'readable')));
  const reading = [first, second, first, second].map(async (shortCode) =>
    readSlowly(await requestFile(service, shortCode)),
  );
  for (const socket of leaving) {
    socket.resetAndDestroy();
    await setImmediate();
    reading.push(requestFile(service, second).then(readSlowly));
    if (reading.length > 8) assert.ok((await reading.pop())?.equals(contents[1] ?? Buffer.of()));
  }
  for (const [index, body] of (await Promise.all(reading)).entries()) {
    assert.ok(body.equals(contents[index < 4 ? index % 2 : 1] ?? Buffer.of()), `download ${index}`);
  }
});

test('a file that is truncated while it is sent ends its connection and is logged', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, LARGE);
  const socket = await requestFile(service, shortCode);
  await once(socket, 'readable');
  truncateSync(storedFileOf(service, shortCode), LARGE.length / 2);
  assert.ok((await readSlowly(socket)).length < LARGE.length);

  const logged = () => service.logged().find(({ msg }) => msg === 'download_broken_off');
  await until(() => logged() !== undefined);
  assert.ok(String(logged()?.['reason']).startsWith(`a file of ${LARGE_BYTES} bytes ended after `));
  const requests = (await scrape(service)).filter(
    ({ name }) => name === 'http_server_requests_seconds_count',
  );
  const visits = requests.filter(({ labels }) => labels['uri'] === '/l/*');
  assert.deepEqual(
    visits.map(({ labels, value }) => [labels['status'], value]),
    [['200', 1]],
  );
});

test('a damaged file ends its connection before its last bytes, and is logged and counted', async (t) => {
  const service = await startService(t);
  for (const content of [Buffer.from('content'), LARGE]) {
    const shortCode = await uploadFile(service, content);
    assert.ok((await readSlowly(await requestFile(service, shortCode))).equals(content));
    const path = storedFileOf(service, shortCode);
    const damaged = Buffer.from(content);
    damaged.writeUInt8(damaged.readUInt8(0) ^ 1);
    writeFileSync(path, damaged);
    const received = await readSlowly(await requestFile(service, shortCode)).catch(() => Buffer.of());
    assert.ok(received.length < content.length, `${received.length} bytes`);

    const logged = () => service.logged().filter(({ msg }) => msg === 'file_damaged');
    await until(() => logged().some(({ fileId }) => fileId === parse(path).name));
  }
  const counted = (await scrape(service)).find(({ name }) => name === 'secure_link_damaged_downloads_total');
  assert.equal(counted?.value, 2);
});
