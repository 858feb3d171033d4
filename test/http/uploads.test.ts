import assert from 'node:assert/strict';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { Upload, type UploadOptions } from 'tus-js-client';
import { STALE_UPLOAD_MS } from '../../src/core/use-cases/files/sweep-uploads.ts';
import { openSocket, send, sendJson, type TestResponse, until } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { countRows, openLink, readRows, shortCodeOf } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import {
  addBytes,
  addressOf,
  announce,
  beginUpload,
  CHUNK_HEADERS,
  codeOf,
  linkTo,
  offsetOf,
  readUpload,
  TUS,
} from '../support/uploads.ts';

const MIB = 1024 ** 2;
/** More than a part of an object, and no multiple of one. */
const LARGE = randomBytes(20 * MIB + 5);

let objects: S3Server;
before(async () => {
  objects = await startS3Server();
});
after(() => objects.stop());

/** The stores, each with two ways into it: one service, or two instances. */
const STORES: Record<string, (t: TestContext) => Promise<[TestService, TestService]>> = {
  'SQLite and a directory': async (t) => {
    const service = await startService(t);
    return [service, service];
  },
  'two instances on PostgreSQL and one directory': async (t) => {
    const { url: database } = await temporarySchema(t);
    const flags = [`--app.storage.path=${temporaryDirectory(t)}`, `--app.database.url=${database}`];
    return [await startService(t, { flags }), await startService(t, { flags })];
  },
  'two instances on PostgreSQL and S3': async (t) => {
    const [url, endpoint = ''] = objects.flags;
    const { url: database } = await temporarySchema(t);
    const flags = [`${url}/${randomUUID()}`, endpoint, `--app.database.url=${database}`];
    return [await startService(t, { flags }), await startService(t, { flags })];
  },
};

for (const [name, start] of Object.entries(STORES)) {
  describe(name, () => {
    test('a file that arrives in pieces, at either instance, is whole', async (t) => {
      const services = await start(t);
      const [service] = services;
      const address = await beginUpload(service, LARGE.length);
      let offset = 0;
      for (const [index, length] of [1, 8 * MIB, 9 * MIB, 3 * MIB + 4].entries()) {
        const bytes = LARGE.subarray(offset, offset + length);
        const response = await addBytes(services[index % 2] ?? service, address, { offset, bytes });
        assert.equal(response.status, 204, response.text);
        offset += length;
        assert.equal(response.headers['upload-offset'], `${offset}`);
        assert.equal(await offsetOf(services[(index + 1) % 2] ?? service, address), offset);
      }
      const again = await addBytes(service, address, { offset, bytes: Buffer.from('x') });
      assert.equal(codeOf(again), 'MALFORMED_UPLOAD');
      const created = await linkTo(services[1], address, { maxViews: 1, sha256: hash('sha256', LARGE) });
      const opened = await openLink(service, shortCodeOf(created));
      assert.equal(created.headers['x-link-file-sha256'], hash('sha256', LARGE));
      assert.match(String(opened.headers['content-disposition']), /report\.pdf/);
      assert.ok(opened.body.equals(LARGE));
      assert.equal((await readUpload(service, address)).status, 404, 'the link has the upload');
    });

    test('of two clients that send one offset at once, one adds its bytes', async (t) => {
      const services = await start(t);
      const [first, second] = services;
      const address = await beginUpload(first, 2 * MIB);
      const bytes = [LARGE.subarray(0, MIB), LARGE.subarray(MIB, 2 * MIB)];
      const sent = services.map((service, index) =>
        addBytes(service, address, { offset: 0, bytes: bytes[index] ?? LARGE }),
      );
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      // The later one may end the other, whose bytes so far count: then it finds another offset, and no response is 204.
      assert.ok(statuses.filter((status) => status === 204).length <= 1, `${statuses}`);
      const offset = await offsetOf(second, address);
      assert.ok(offset > 0, `${statuses}`);
      const rest = LARGE.subarray(offset, 2 * MIB);
      assert.equal((await addBytes(first, address, { offset, bytes: rest })).status, 204);
      const { body } = await openLink(second, shortCodeOf(await linkTo(second, address)));
      const expected = bytes.map((start) => Buffer.concat([start.subarray(0, offset), rest]));
      assert.ok(expected.some((each) => each.equals(body)));
      assert.equal(body.length, 2 * MIB);
    });

    test('an upload keeps the bytes that arrived before the line broke, and another request ends one that hangs', async (t) => {
      const [first, second] = await start(t);
      const address = await beginUpload(first, 3 * MIB);
      for (const isBroken of [true, false]) {
        const offset = await offsetOf(second, address);
        const socket = await openSocket(first);
        const facts = { 'upload-offset': offset, 'content-length': 2 * MIB, expect: '100-continue' };
        const headers = { ...CHUNK_HEADERS, ...facts };
        const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
        socket.write(`PATCH ${address} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`);
        await once(socket, 'data');
        await new Promise((sent) => socket.write(LARGE.subarray(offset, offset + MIB), sent));
        if (isBroken) socket.destroy();
        await until(async () => (await readUpload(second, address)).status === 200);
        if (isBroken) await until(async () => (await offsetOf(second, address)) > 0);
        socket.destroy();
      }
      const offset = await offsetOf(second, address);
      const bytes = LARGE.subarray(offset, 3 * MIB);
      assert.equal((await addBytes(second, address, { offset, bytes })).status, 204);
      const created = await linkTo(first, address, { sha256: hash('sha256', LARGE.subarray(0, 3 * MIB)) });
      assert.equal(created.status, 201, created.text);
    });

    test('a set of files has the digests of each', async (t) => {
      const services = await start(t);
      const [service] = services;
      const sizes = [0, 5, MIB, 0, 9 * MIB, 1];
      const files = sizes.map((sizeBytes, index) => ({ fileName: `../a//${index % 2}.txt`, sizeBytes }));
      const address = addressOf(await sendJson(service, '/api/uploads', { files }));
      const content = LARGE.subarray(0, 10 * MIB + 6);
      for (let offset = 0, index = 0; offset < content.length; index += 1) {
        const bytes = content.subarray(offset, offset + 4 * MIB);
        const added = await addBytes(services[index % 2] ?? service, address, { offset, bytes });
        assert.equal(added.status, 204, added.text);
        offset += bytes.length;
      }
      const shortCode = shortCodeOf(await linkTo(service, address));
      const link = await service.stores.store.find(shortCode);
      assert.ok(link?.target.type === 'DOWNLOAD');
      assert.equal(link.target.file.fileName, 'a.zip');
      const starts = sizes.map((_, index) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0));
      const parts = sizes.map((sizeBytes, index) => {
        const start = starts[index] ?? 0;
        const bytes = content.subarray(start, start + sizeBytes);
        const number = Math.floor(index / 2) + 1;
        const fileName = `a/${index % 2}${number === 1 ? '' : ` (${number})`}.txt`;
        return { fileName, sizeBytes, sha256: hash('sha256', bytes), crc32: crc32(bytes) };
      });
      assert.deepEqual(await service.stores.store.readParts(link.target.file.fileId), parts);
    });
  });
}

const KEY_MODE = ['--app.access=keys'];

test('only the owner of an upload can use it', async (t) => {
  const service = await startService(t, { flags: KEY_MODE });
  const owner = bearer(await addKey(service, 'owner', ['create']));
  const other = bearer(await addKey(service, 'other', ['create', 'manage']));
  assert.equal((await announce(service, 3)).status, 401);
  const address = await beginUpload(service, 3, owner);
  const bytes = Buffer.from('abc');
  const link = (headers: Record<string, string>) =>
    sendJson(service, '/api/links', { uploadId: address.split('/').at(-1) }, { headers });
  const requests = (headers: Record<string, string>) => [
    () => readUpload(service, address, headers),
    () => addBytes(service, address, { offset: 0, bytes, headers }),
    () => link(headers),
    () => send(service, address, { method: 'DELETE', headers: { ...TUS, ...headers } }),
  ];
  const statusesOf = async (headers: Record<string, string>) => {
    const statuses: number[] = [];
    for (const request of requests(headers)) statuses.push((await request()).status);
    return statuses;
  };
  assert.deepEqual(await statusesOf(other), [404, 404, 404, 404]);
  assert.deepEqual(await statusesOf({}), [401, 401, 401, 401]);
  assert.deepEqual(await statusesOf(owner), [200, 204, 201, 404]);
});

test('the name of an upload is decoded as its sender means it', async (t) => {
  const service = await startService(t);
  for (const encoding of ['utf8', 'latin1'] as const) {
    const metadata = `filename ${Buffer.from('größe.txt', encoding).toString('base64')}`;
    const begun = await announce(service, 1, { 'upload-metadata': metadata });
    const address = String(begun.headers.location);
    await addBytes(service, address, { offset: 0, bytes: Buffer.from('x') });
    const created = await linkTo(service, address);
    const { headers } = await openLink(service, shortCodeOf(created));
    assert.match(String(headers['content-disposition']), /gr%C3%B6%C3%9Fe\.txt$/);
  }
});

test('a request that breaks the protocol or a limit is refused with the reason', async (t) => {
  const flags = ['--app.upload.max-size=9MB', '--app.upload.chunk-size=5MB', '--app.upload.max-files=2'];
  const service = await startService(t, { flags });
  const address = await beginUpload(service, 8 * MIB);
  const begun = await beginUpload(service, 9);
  assert.equal((await addBytes(service, begun, { offset: 0, bytes: Buffer.from('abc') })).status, 204);
  const list = (files: unknown) => sendJson(service, '/api/uploads', { files });
  const part = { fileName: 'a', sizeBytes: 1 };
  const chunked = Array.from({ length: 9 }, () => LARGE.subarray(0, MIB));
  const cases: [() => Promise<TestResponse>, status: number, code: string][] = [
    [() => announce(service, 9 * MIB + 1), 413, 'FILE_TOO_LARGE'],
    [() => announce(service, 0), 400, 'FILE_EMPTY'],
    [() => announce(service, -1), 400, 'MALFORMED_UPLOAD'],
    [() => announce(service, 1, { 'tus-resumable': '0.2.0' }), 412, 'TUS_VERSION_REQUIRED'],
    [() => list([]), 400, 'INVALID_LIST'],
    [() => list([part, part, part]), 400, 'INVALID_LIST'],
    [() => list([part, { ...part, sizeBytes: -1 }]), 400, 'INVALID_LIST'],
    [() => list([part, { fileName: 'b', sizebytes: 1 }]), 400, 'UNKNOWN_FIELD'],
    [() => sendJson(service, '/api/uploads', { file: [part] }), 400, 'UNKNOWN_FIELD'],
    [() => list([part, { ...part, sizeBytes: 9 * MIB }]), 413, 'FILE_TOO_LARGE'],
    [() => list([{ ...part, fileName: 'x'.repeat(1.5 * MIB) }]), 413, 'BODY_TOO_LARGE'],
    [() => addBytes(service, begun, { offset: 2, bytes: Buffer.from('x') }), 409, 'UPLOAD_OFFSET_MISMATCH'],
    [() => addBytes(service, begun, { offset: 4, bytes: Buffer.from('x') }), 409, 'UPLOAD_OFFSET_MISMATCH'],
    [
      () => addBytes(service, address, { offset: 0, bytes: Buffer.alloc(8 * MIB + 1) }),
      400,
      'MALFORMED_UPLOAD',
    ],
    [() => linkTo(service, address), 409, 'UPLOAD_INCOMPLETE'],
    [() => addBytes(service, address, { offset: 0, bytes: chunked }), 400, 'MALFORMED_UPLOAD'],
    [() => linkTo(service, address, { sha256: 'x' }), 400, 'INVALID_DIGEST'],
    [() => linkTo(service, address, { sha256: '0'.repeat(64) }), 422, 'DIGEST_MISMATCH'],
    [() => linkTo(service, `/api/uploads/${randomUUID()}`), 404, 'NO_SUCH_UPLOAD'],
    [() => linkTo(service, 'x/..'), 404, 'NO_SUCH_UPLOAD'],
  ];
  for (const [request, status, code] of cases) {
    const response = await request();
    assert.deepEqual([response.status, codeOf(response)], [status, code], request.toString());
  }
});

test('an upload that is not continued for a day is removed, and so is a deleted one', async (t) => {
  const service = await startService(t);
  const [kept, left, deleted] = [
    await beginUpload(service, 9),
    await beginUpload(service, 9),
    await beginUpload(service, 9),
  ];
  for (const address of [kept, left, deleted])
    await addBytes(service, address, { offset: 0, bytes: Buffer.from('abc') });
  assert.equal((await send(service, deleted, { method: 'DELETE', headers: TUS })).status, 204);
  assert.equal((await readUpload(service, deleted)).status, 404);
  service.clock.now += STALE_UPLOAD_MS;
  await addBytes(service, kept, { offset: 3, bytes: Buffer.from('abc') });
  service.clock.now += 1;
  await service.startJobs();
  assert.equal(await offsetOf(service, kept), 6);
  assert.equal((await readUpload(service, left)).status, 404);
  const keptId = kept.split('/').at(-1) ?? '';
  const stored = service.storedFiles();
  assert.deepEqual([stored.length > 0, stored.filter((path) => !path.includes(keptId))], [true, []]);
  assert.equal(countRows(service, 'upload'), 1);
});

test('an upload to which a slow request adds bytes is not removed', async (t) => {
  const service = await startService(t);
  const address = await beginUpload(service, 9);
  const LOCKED = 'SELECT file_id FROM upload WHERE lock_token IS NOT NULL';
  await addBytes(service, address, { offset: 0, bytes: Buffer.from('abc') });
  service.clock.now += STALE_UPLOAD_MS + 1;
  const socket = await openSocket(service);
  const headers = { ...CHUNK_HEADERS, 'upload-offset': 3, 'content-length': 6, expect: '100-continue' };
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  socket.write(`PATCH ${address} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`);
  await once(socket, 'data');
  await until(() => readRows(service, LOCKED, []).length === 1);
  await service.startJobs();
  socket.write('defghi');
  await once(socket, 'data');
  socket.destroy();
  assert.equal(await offsetOf(service, address), 9);
});

test('a link to an upload is created once for each Idempotency-Key', async (t) => {
  const service = await startService(t);
  const address = await beginUpload(service, 3);
  await addBytes(service, address, { offset: 0, bytes: Buffer.from('abc') });
  const body = { uploadId: address.split('/').at(-1), fileName: 'b.txt' };
  const headers = { 'idempotency-key': randomUUID() };
  const responses = [];
  for (let sent = 0; sent < 2; sent++)
    responses.push(await sendJson(service, '/api/links', body, { headers }));
  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 201],
  );
  assert.equal(responses[1]?.headers['idempotency-replayed'], 'true');
  assert.equal(responses[0]?.text, responses[1]?.text);
});

/** Uploads bytes with the client of the protocol's authors, and returns the address of the upload. */
async function uploadByTus(service: TestService, bytes: Buffer, options: UploadOptions): Promise<string> {
  const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
  const settled = { onSuccess: () => resolve(), onError: reject };
  const upload = new Upload(bytes, { endpoint: `${service.url}/api/uploads`, ...settled, ...options });
  upload.start();
  await sent;
  return new URL(String(upload.url)).pathname;
}

for (const [client, options] of Object.entries<UploadOptions>({
  'its default settings': {},
  'POST in place of PATCH': { overridePatchMethod: true },
}))
  test(`tus-js-client with ${client} sends more than a chunk in one request`, async (t) => {
    const lines: string[] = [];
    const onLogLine = (line: string) => lines.push(line);
    const service = await startService(t, { onLogLine });
    const bytes = Buffer.concat(Array.from({ length: 4 }, () => LARGE));
    const metadata = { filename: 'größe.bin', filetype: 'image/png' };
    const address = await uploadByTus(service, bytes, { ...options, metadata });
    const { headers } = await readUpload(service, address);
    const encoded = Object.entries(metadata).map(
      ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
    );
    assert.deepEqual(
      [headers['upload-offset'], headers['upload-metadata']],
      [`${bytes.length}`, encoded.join()],
    );
    const created = await linkTo(service, address, { sha256: hash('sha256', bytes) });
    assert.equal(created.status, 201, created.text);
    assert.equal(lines.filter((line) => line.includes('"method":"PATCH"')).length, 1);
  });

test('each chunk of a request is durable before the next one arrives', async (t) => {
  const service = await startService(t, { flags: ['--app.upload.chunk-size=5MB'] });
  const address = await beginUpload(service, 12 * MIB);
  const socket = await openSocket(service);
  const headers = { ...CHUNK_HEADERS, 'upload-offset': 0, 'content-length': 12 * MIB };
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  socket.write(`PATCH ${address} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`);
  socket.write(LARGE.subarray(0, 11 * MIB));
  await until(
    () => readRows(service, `SELECT 1 FROM upload WHERE offset_bytes = ${10 * MIB}`, []).length === 1,
  );
  socket.destroy();
  await until(async () => (await readUpload(service, address)).status === 200);
  assert.ok((await offsetOf(service, address)) >= 10 * MIB);
});

test('X-HTTP-Method-Override is obeyed for uploads alone', async (t) => {
  const service = await startService(t);
  const override = (method: string) => ({ ...TUS, 'x-http-method-override': method });
  const post = (path: string, method: string) =>
    send(service, path, { method: 'POST', headers: override(method) });
  const address = await beginUpload(service, 3);
  assert.equal((await post(address, 'HEAD')).headers['upload-length'], '3');
  assert.equal((await post(address, 'PUT')).status, 405);
  assert.equal((await post(address, 'DELETE')).status, 204);
  const shortCode = shortCodeOf(await sendJson(service, '/api/links', { targetUrl: 'https://example.com/' }));
  assert.equal((await post(`/api/links/${shortCode}`, 'DELETE')).status, 405);
  assert.equal((await openLink(service, shortCode)).status, 302);
});

test('OPTIONS describes the protocol', async (t) => {
  const service = await startService(t);
  const { status, headers } = await send(service, '/api/uploads', { method: 'OPTIONS' });
  assert.equal(status, 204);
  assert.deepEqual(
    [headers['tus-version'], headers['tus-extension'], headers['tus-max-size']],
    ['1.0.0', 'creation,termination,expiration', `${2 * 1024 ** 3}`],
  );
});
