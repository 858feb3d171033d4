import assert from 'node:assert/strict';
import { createHash, hash, randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createS3Store, type S3Store } from '../../src/adapters/files/s3.ts';
import type { OpenFile } from '../../src/core/ports/file-store.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { fileStoreContract } from '../contract/file-store.ts';
import { until } from '../support/http-client.ts';
import type { Failure } from '../support/s3-failures.ts';
import {
  BUCKET,
  type Operation,
  type S3Server,
  startS3Server,
  UPLOADS_BEGUN_AT,
} from '../support/s3-server.ts';
import { sentBytes } from '../support/sent-bytes.ts';

const PART_BYTES = 8 * 1024 * 1024;
const LARGE = randomBytes(2.5 * PART_BYTES);
/** A file of two parts. */
const MEDIUM = LARGE.subarray(0, PART_BYTES + 100_000);
const SMALL = LARGE.subarray(0, 1_000_000);
const IN_PARTS = /Upload/;

const FAILURE: Failure = { kind: 'status', status: 500, code: 'InternalError' };
const FORBIDDEN: Failure = { kind: 'status', status: 403, code: 'AccessDenied' };

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.stop());

function storeAt(prefix: string, options: { timeoutMs?: number; bucket?: string } = {}): S3Store {
  const { timeoutMs = 10_000, bucket = BUCKET } = options;
  const { endpoint } = server;
  return createS3Store({ bucket, prefix, endpoint, region: null, pathStyle: true, timeoutMs });
}

async function* chunksOf(bytes: Buffer, chunkBytes = 65_536): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
  }
}

fileStoreContract('S3', async () => {
  const prefix = `files/${randomUUID()}`;
  return {
    store: storeAt(prefix),
    remains: async () => server.remains(prefix),
    dispose: () => until(() => server.sending() === 0),
  };
});

describe('S3', () => {
  let prefix: string;
  let store: S3Store;
  let requestsBefore: number;
  beforeEach(() => {
    prefix = randomUUID();
    store = storeAt(prefix);
    requestsBefore = server.requests().length;
  });

  const requested = (): Operation[] => server.requests().slice(requestsBefore);
  /** Stores a file as a use case does, which removes what an error leaves. */
  const storeOrRemove = (fileId: string, bytes: AsyncIterable<Uint8Array>) =>
    storeFile(store, fileId, bytes).catch(async (error: unknown) => {
      await store.remove(fileId);
      throw error;
    });
  async function saved(bytes: Buffer): Promise<string> {
    const fileId = randomUUID();
    await storeOrRemove(fileId, chunksOf(bytes));
    return fileId;
  }
  async function opened(fileId: string): Promise<OpenFile> {
    const file = await store.open(fileId);
    assert.ok(file);
    return file;
  }

  describe('a file whose size was not announced', () => {
    test('a file below the size of a part takes one request, and any other takes parts', async () => {
      const wholes: [sizeBytes: number, expected: Operation[]][] = [
        [0, ['HeadObject', 'PutObject']],
        [PART_BYTES - 1, ['HeadObject', 'PutObject']],
        [PART_BYTES, inParts(1)],
        [PART_BYTES + 1, inParts(2)],
        [LARGE.length, inParts(3)],
      ];
      for (const [sizeBytes, expected] of wholes) {
        const bytes = LARGE.subarray(0, sizeBytes);
        requestsBefore = server.requests().length;
        const fileId = await saved(bytes);
        assert.deepEqual(requested(), expected, `${sizeBytes} bytes`);
        assert.ok(bytes.equals(await sentBytes(await opened(fileId))));
      }
    });

    test('each part has a signed hash and a checksum', async () => {
      await saved(LARGE);
      const sent = server.headersOf('UploadPart').slice(-3);
      assert.deepEqual(
        sent.map((headers) => headers['x-amz-content-sha256']),
        [0, 1, 2].map((part) =>
          createHash('sha256')
            .update(LARGE.subarray(part * PART_BYTES, (part + 1) * PART_BYTES))
            .digest('hex'),
        ),
      );
      for (const headers of sent) {
        assert.match(String(headers['x-amz-checksum-crc32']), /^[\w+/]{6}==$/);
        assert.match(String(headers['authorization']), /SignedHeaders=[^,]*x-amz-content-sha256/);
        assert.equal(headers['content-encoding'], undefined, 'signed chunks are not used');
      }
    });

    test('an upload reads at most three parts ahead of the storage', async () => {
      const chunk = Buffer.alloc(2 ** 16, 'x');
      const CHUNKS = (5 * PART_BYTES) / chunk.length;
      let furthestAhead = 0;
      async function* measured(): AsyncGenerator<Uint8Array> {
        for (let given = 0; given < CHUNKS; given++) {
          // The last requested part may not have arrived yet.
          const begun = requested().filter((operation) => operation === 'UploadPart').length;
          furthestAhead = Math.max(furthestAhead, given * chunk.length - (begun - 1) * PART_BYTES);
          yield chunk;
        }
      }
      const fileId = randomUUID();
      await storeFile(store, fileId, measured());
      assert.ok(furthestAhead <= 3 * PART_BYTES, `${furthestAhead} bytes`);
      await store.remove(fileId);
    });

    test('a source that fails after two parts leaves nothing', async () => {
      const failure = new Error('the source broke off');
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield* chunksOf(LARGE);
        throw failure;
      }
      await assert.rejects(storeOrRemove(randomUUID(), failing()), (error) => error === failure);
      assert.ok(requested().includes('UploadPart'));
      assert.deepEqual(server.remains(prefix), []);
    });
  });

  describe('a failed request is retried', () => {
    /** The failure that breaks the connection of each request once, where that is not before the request is executed. */
    const broken: [operation: Operation, fault: Failure][] = [
      ['HeadObject', { kind: 'cut-request' }],
      ['PutObject', { kind: 'lose-response' }],
      ['CreateMultipartUpload', { kind: 'lose-response' }],
      ['UploadPart', { kind: 'cut-request' }],
      ['CompleteMultipartUpload', { kind: 'cut-request' }],
      ['GetObject', { kind: 'cut-request' }],
      ['DeleteObject', { kind: 'lose-response' }],
    ];
    const refused = broken.map(([operation]): [Operation, Failure] => [operation, FAILURE]);
    for (const [what, faults] of [
      ['an error', refused],
      ['a broken connection', broken],
    ] as const) {
      for (const [size, bytes, other] of [
        ['one request', SMALL, IN_PARTS],
        ['parts', MEDIUM, /^PutObject/],
      ] as const) {
        test(`each request of a file in ${size} succeeds after ${what}`, async () => {
          const failing = faults.filter(([operation]) => !other.test(operation));
          for (const [operation, fault] of failing) server.failNext(operation, fault);
          const fileId = await saved(bytes);
          assert.ok(bytes.equals(await sentBytes(await opened(fileId))));
          await store.remove(fileId);
          assert.deepEqual(server.remains(prefix), []);
          for (const [operation] of failing) {
            const count = requested().filter((each) => each === operation).length;
            assert.ok(count >= 2, `${operation} was sent ${count} times`);
          }
        });
      }
    }

    test('a server that is slower than the timeout is retried', async () => {
      store = storeAt(prefix, { timeoutMs: 1_000 });
      server.failNext('PutObject', { kind: 'hang' });
      const fileId = await saved(SMALL);
      assert.ok(SMALL.equals(await sentBytes(await opened(fileId))));
    });
  });

  describe('a failed upload leaves nothing and names the cause', () => {
    const lost: [operation: Operation, fault: Failure, message: RegExp][] = [
      ['HeadObject', FAILURE, /to look for a file: .*HTTP 500/],
      ['HeadObject', FORBIDDEN, /to look for a file: .*HTTP 403/],
      ['PutObject', FAILURE, /to store a file: InternalError, HTTP 500/],
      ['PutObject', FORBIDDEN, /to store a file: AccessDenied, HTTP 403/],
      ['PutObject', { kind: 'cut-request' }, /to store a file: .*(ECONNRESET|EPIPE)/],
      ['PutObject', { kind: 'lose-response' }, /to store a file: .*ECONNRESET/],
      ['PutObject', { kind: 'corrupt' }, /does not confirm the 1000000 bytes sent: it returned tag "\w{32}"/],
      ['CreateMultipartUpload', FORBIDDEN, /to begin an upload: AccessDenied, HTTP 403/],
      ['UploadPart', FAILURE, /to take part 1: InternalError, HTTP 500/],
      ['UploadPart', { kind: 'cut-request' }, /to take part 1: .*(ECONNRESET|EPIPE)/],
      ['UploadPart', { kind: 'corrupt' }, /does not confirm the \d+ bytes sent/],
      ['CompleteMultipartUpload', FAILURE, /to complete an upload: InternalError, HTTP 500/],
    ];
    for (const [operation, fault, expected] of lost) {
      const name = fault.kind === 'status' ? `${fault.status}` : fault.kind;
      test(`${operation} fails on every try: ${name}`, async (t) => {
        t.after(server.failAll(operation, fault));
        const bytes = IN_PARTS.test(operation) ? MEDIUM : SMALL;
        await assert.rejects(saved(bytes), expected);
        assert.deepEqual(server.remains(prefix), []);
      });
    }

    test('an upload whose completion was executed is stored, although its response was lost', async (t) => {
      t.after(server.failAll('CompleteMultipartUpload', { kind: 'lose-response' }));
      assert.ok(MEDIUM.equals(await sentBytes(await opened(await saved(MEDIUM)))));
    });

    test('the stored size differs', async () => {
      server.failNext('CompleteMultipartUpload', { kind: 'forget-part' });
      await assert.rejects(saved(MEDIUM), /object storage has 8388608 bytes of 8488608/);
      assert.deepEqual(server.remains(prefix), []);
    });

    test('an upload was begun twice, because the first response was lost', async (t) => {
      server.failNext('CreateMultipartUpload', { kind: 'lose-response' });
      t.after(server.failAll('UploadPart', FORBIDDEN));
      await assert.rejects(saved(MEDIUM), /AccessDenied/);
      assert.equal(requested().filter((operation) => operation === 'AbortMultipartUpload').length, 2);
      assert.deepEqual(server.remains(prefix), []);
    });
  });

  test('a later remove deletes what a failed one could not', async () => {
    const fileId = randomUUID();
    const heals = (['UploadPart', 'AbortMultipartUpload'] as const).map((each) =>
      server.failAll(each, FORBIDDEN),
    );
    await assert.rejects(storeFile(store, fileId, chunksOf(MEDIUM)), /to take part 1/);
    assert.deepEqual(server.remains(prefix), [`${prefix}/${fileId}`], 'an upload is open');
    await assert.rejects(store.remove(fileId), /to abort an upload: AccessDenied/);
    for (const heal of heals) heal();
    assert.equal(await store.open(fileId), undefined);
    await store.remove(fileId);
    assert.deepEqual(server.remains(prefix), []);
  });

  describe('open', () => {
    test('a missing file is undefined, and any other error is thrown', async () => {
      assert.equal(await store.open(randomUUID()), undefined);
      const elsewhere = storeAt(prefix, { bucket: 'another-bucket' });
      await assert.rejects(elsewhere.open(randomUUID()), /to send a file: NoSuchBucket, HTTP 404/);
    });

    test('an object that was replaced after a check is found', async () => {
      const fileId = await saved(SMALL);
      const send = async () => sentBytes((await store.open(fileId, hash('sha256', SMALL))) ?? assert.fail());
      for (let times = 0; times < 2; times++) assert.ok((await send()).equals(SMALL));
      await store.remove(fileId);
      await storeFile(store, fileId, chunksOf(LARGE.subarray(1, SMALL.length + 1)));
      await assert.rejects(send(), { name: 'DamagedFileError', fileId });
    });

    const early: [fault: Failure, message: RegExp][] = [
      [FAILURE, /to send a file: InternalError, HTTP 500/],
      [FORBIDDEN, /to send a file: AccessDenied, HTTP 403/],
      [{ kind: 'cut-request' }, /to send a file: .*ECONNRESET/],
      [{ kind: 'hang' }, /to send a file: TimeoutError/],
      [{ kind: 'cut-response', afterBytes: 0 }, /in the middle of a file: .*ECONNRESET/],
      [{ kind: 'stall-response', afterBytes: 0 }, /in the middle of a file: no bytes for 300 ms/],
    ];
    for (const [fault, expected] of early) {
      test(`a failure before the first byte rejects: ${fault.kind}`, async (t) => {
        const fileId = await saved(SMALL);
        t.after(server.failAll('GetObject', fault));
        await assert.rejects(storeAt(prefix, { timeoutMs: 300 }).open(fileId), expected);
        await until(() => server.sending() === 0);
      });
    }

    const middle: [fault: Failure, message: RegExp][] = [
      [{ kind: 'cut-response', afterBytes: 500_000 }, /in the middle of a file: .*ECONNRESET/],
      [{ kind: 'stall-response', afterBytes: 500_000 }, /in the middle of a file: no bytes for 3000 ms/],
    ];
    for (const [fault, expected] of middle) {
      test(`a failure after the first byte breaks the stream: ${fault.kind}`, async () => {
        const fileId = await saved(SMALL);
        server.failNext('GetObject', fault);
        const file = await storeAt(prefix, { timeoutMs: 3_000 }).open(fileId);
        const out = new Writable({ write: (_, __, done) => done() });
        await assert.rejects(async () => file?.sendTo(out), expected);
        assert.ok(out.destroyed && !out.writableEnded);
        await until(() => server.sending() === 0);
      });
    }

    test('a slow reader is not timed out', async () => {
      const fileId = await saved(SMALL);
      const impatient = storeAt(prefix, { timeoutMs: 500 });
      const stalled = Promise.withResolvers<void>();
      let readBytes = 0;
      const slow = new Writable({
        async write(chunk, _, done) {
          if (readBytes === 0) await stalled.promise;
          readBytes += chunk.length;
          done();
        },
      });
      const file = await impatient.open(fileId);
      const sending = file?.sendTo(slow);
      // Meanwhile a second file, which waits for the server, reaches its timeout.
      server.failNext('GetObject', { kind: 'stall-response', afterBytes: 0 });
      await assert.rejects(impatient.open(fileId), /no bytes for 500 ms/);
      stalled.resolve();
      await sending;
      assert.equal(readBytes, SMALL.length);
    });

    test('any number of files can be open at once', async () => {
      const fileId = await saved(SMALL);
      const files = await Promise.all(Array.from({ length: 60 }, () => opened(fileId)));
      await store.checkWritable();
      await Promise.all(files.map((file) => file.close()));
    });
  });

  test('the list covers several pages and only files', async () => {
    const fileIds = Array.from({ length: 120 }, () => randomUUID());
    const [first = ''] = fileIds;
    server.addObjects([
      ...fileIds.map((fileId) => `${prefix}/${fileId}`),
      `${prefix}/notes.txt`,
      `${prefix}/${first}.bak`,
      `${prefix}/deeper/${first}`,
      `${prefix}-2/${first}`,
      `${prefix}/${randomUUID().toUpperCase()}`,
      `${prefix}/postern-can-write`,
    ]);
    const listed = await Array.fromAsync(store.list());
    assert.deepEqual(listed.map(({ fileId }) => fileId).sort(), fileIds.sort());
  });

  test('the list of unfinished files has those whose uploads are open, below the prefix', async () => {
    const rest = Promise.withResolvers<void>();
    async function* bytes() {
      yield MEDIUM;
      await rest.promise;
    }
    const fileIds = [randomUUID(), randomUUID(), randomUUID()].sort();
    const other = storeAt(`${prefix}-2`);
    const saving = [
      ...fileIds.map((fileId) => storeFile(store, fileId, bytes())),
      storeFile(other, randomUUID(), bytes()),
    ];
    await until(() => requested().filter((each) => each === 'UploadPart').length === saving.length);
    const modifiedAt = Date.parse(UPLOADS_BEGUN_AT);
    const listed = await Array.fromAsync(store.listUnfinished());
    rest.resolve();
    await Promise.all(saving);
    assert.deepEqual(
      listed.sort((one, two) => (one.fileId < two.fileId ? -1 : 1)),
      fileIds.map((fileId) => ({ fileId, modifiedAt })),
    );
    assert.deepEqual(await Array.fromAsync(store.listUnfinished()), []);
  });

  describe('checkWritable', () => {
    test('checkWritable rejects for a missing bucket, a forbidden one and an unresponsive server', async (t) => {
      await assert.rejects(storeAt(prefix, { bucket: 'another-bucket' }).checkWritable(), /HTTP 404/);
      server.failNext('HeadBucket', FORBIDDEN);
      await assert.rejects(store.checkWritable(), /to show its bucket: .*HTTP 403/);
      t.after(server.failAll('HeadBucket', { kind: 'hang' }));
      await assert.rejects(storeAt(prefix, { timeoutMs: 500 }).checkWritable(), /to show its bucket: /);
    });

    test('concurrent checks share one request', async () => {
      await Promise.all(Array.from({ length: 20 }, () => store.checkWritable()));
      assert.deepEqual(requested(), ['HeadBucket']);
      await store.checkWritable();
      assert.deepEqual(requested(), ['HeadBucket', 'HeadBucket']);
    });
  });

  describe('proveUsable', () => {
    test('proveUsable makes each request that a file needs, and leaves nothing', async () => {
      await store.proveUsable();
      const operations = ['HeadBucket', 'PutObject', 'ListMultipartUploads', 'ListObjectsV2', 'DeleteObject'];
      assert.deepEqual(requested(), operations);
      assert.deepEqual(server.remains(prefix), []);
    });

    for (const operation of ['HeadBucket', 'PutObject', 'ListMultipartUploads', 'DeleteObject'] as const) {
      test(`proveUsable rejects when ${operation} is denied`, async () => {
        server.failNext(operation, FORBIDDEN);
        await assert.rejects(store.proveUsable(), /HTTP 403/);
        await store.remove(randomUUID());
      });
    }
  });
});

function inParts(count: number): Operation[] {
  return [
    ...(['HeadObject', 'CreateMultipartUpload'] as const),
    ...Array.from({ length: count }, () => 'UploadPart' as const),
    ...(['CompleteMultipartUpload', 'HeadObject'] as const),
  ];
}
