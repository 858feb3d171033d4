import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import test from 'node:test';
import { json, member, openSocket, send } from '../support/http-client.ts';
import { countRows, createLink, openLink, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS, sendForm } from '../support/multipart.ts';
import { scrape, valuesOf } from '../support/prometheus.ts';
import { startService } from '../support/service.ts';
import { addBytes, beginUpload, offsetOf, TUS } from '../support/uploads.ts';

const MIB = 1024 ** 2;
const FULL = 'The disk for uploaded files is almost full; try again later or send less';

test('an almost full disk refuses uploads', async (t) => {
  let freeBytes = 300 * MIB;
  // What is written counts, because the space may be measured again before a long upload ends.
  const writtenBytes = (): number =>
    service
      .storedFiles()
      .filter((path) => path.includes('/incoming/'))
      .reduce((sum, path) => sum + statSync(path).size, 0);
  const service = await startService(t, { freeBytes: async () => freeBytes - writtenBytes() });
  const stored = await uploadFile(service, 'content');

  await t.test(
    'an upload in parts ends where the space does, keeps what arrived, and goes on from there',
    async (t) => {
      const [first, second] = [await beginUpload(service, 30 * MIB), await beginUpload(service, 30 * MIB)];
      const bytes = Array.from({ length: 30 }, () => Buffer.alloc(MIB));
      assert.equal((await addBytes(service, first, { offset: 0, bytes: bytes.slice(1) })).status, 204);
      const announced = await addBytes(service, second, { offset: 0, bytes: Buffer.concat(bytes) });
      assert.deepEqual([announced.status, await offsetOf(service, second)], [507, 0]);
      const refused = await addBytes(service, second, { offset: 0, bytes });
      const offset = await offsetOf(service, second);
      assert.equal(refused.status, 507);
      assert.ok(offset > 0 && offset < 30 * MIB, `${offset}`);
      await send(service, first, { method: 'DELETE', headers: TUS });
      const goesOn = async () => {
        const from = await offsetOf(service, second);
        const rest = Buffer.alloc(30 * MIB - from);
        assert.equal((await addBytes(service, second, { offset: from, bytes: rest })).status, 204);
      };
      await t.waitFor(goesOn, { timeout: 120_000, interval: 100 });
      await send(service, second, { method: 'DELETE', headers: TUS });
    },
  );

  await t.test('an upload with Content-Length is refused before a byte of it is read', async () => {
    const headers = `Host: x\r\nContent-Type: ${MULTIPART_HEADERS['content-type']}\r\nContent-Length: ${45 * MIB}`;
    const socket = await openSocket(service);
    socket.write(`POST /api/links/upload HTTP/1.1\r\n${headers}\r\n\r\n`);
    const [response] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(response), /^HTTP\/1\.1 507 Insufficient Storage\r\n/);
    assert.ok(String(response).includes(FULL));
  });

  await t.test('an upload without Content-Length is refused while its bytes arrive', async () => {
    const body = encodeForm([file(Buffer.alloc(46 * MIB))]);
    const response = await send(service, '/api/links/upload', {
      method: 'POST',
      headers: MULTIPART_HEADERS,
      body: Array.from({ length: 46 }, (_, index) =>
        body.subarray(index * MIB, index === 45 ? undefined : (index + 1) * MIB),
      ),
    });
    assert.equal(response.status, 507);
    assert.equal(member(json(response), 'message'), FULL);
    assert.equal(service.storedFiles().length, 1, 'nothing of it is left');
    assert.equal(countRows(service, 'upload'), 0);
  });

  await t.test(
    'an almost full disk is in health and metrics, while links work and the service is UP',
    async (t) => {
      freeBytes = 200 * MIB;
      const isMeasured = async () => {
        const health = json(await send(service, '/actuator/health/readiness'));
        const details = member(member(member(health, 'components'), 'storage'), 'details');
        assert.deepEqual(details, { freeBytes, minFreeBytes: 256 * MIB, uploads: 'refused' });
        assert.equal(member(member(member(health, 'components'), 'storage'), 'status'), 'UP');
      };
      await t.waitFor(isMeasured, { timeout: 120_000, interval: 100 });
      assert.equal((await sendForm(service, [file('content')])).status, 507);
      assert.equal((await openLink(service, stored)).status, 200);
      assert.equal((await openLink(service, await createLink(service))).status, 302);
      const samples = await scrape(service);
      assert.deepEqual(valuesOf(samples, 'secure_link_storage_free_bytes'), { '': freeBytes });
      assert.deepEqual(valuesOf(samples, 'secure_link_storage_min_free_bytes'), { '': 256 * MIB });
    },
  );
});

test('app.storage.min-free=0 refuses no upload', async (t) => {
  const service = await startService(t, { flags: ['--app.storage.min-free=0'], freeBytes: async () => 0 });
  await uploadFile(service, 'content');
});

test('a bucket has no known space, and so no metric of it', async (t) => {
  const service = await startService(t, { freeBytes: async () => null });
  await uploadFile(service, 'content');
  const names = (await scrape(service)).map(({ name }) => name);
  assert.ok(!names.includes('secure_link_storage_free_bytes'));
});

test('a storage directory that all users may write to gets a warning at startup', async (t) => {
  const service = await startService(t);
  assert.deepEqual(await service.findWarnings(), []);
  chmodSync(service.storagePath, 0o777);
  assert.match((await service.findWarnings()).join(), /^app\.storage\.path: \S+ is writable by all users/);
});
