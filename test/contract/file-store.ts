import assert from 'node:assert/strict';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { FileProgress, FileStore, OpenFile } from '../../src/core/ports/file-store.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { anyString } from '../support/any-string.ts';
import { sentBytes } from '../support/sent-bytes.ts';

/** A store on its own empty storage. */
export type FileStoreHarness = {
  store: FileStore;
  /** Returns the names of all files in the storage, whole or partial. */
  remains(): Promise<string[]>;
  /** Removes the storage. Fails when the store still has something open there. */
  dispose(): Promise<void>;
};

/** Tests the promises of the FileStore port. Each adapter's test file calls it. */
export function fileStoreContract(name: string, factory: () => Promise<FileStoreHarness>): void {
  describe(`${name} fulfils the contract of a file store`, () => {
    let harness: FileStoreHarness;
    let store: FileStore;
    beforeEach(async () => {
      harness = await factory();
      store = harness.store;
    });
    afterEach(() => harness.dispose());

    const save = async (bytes: Uint8Array): Promise<string> => {
      const fileId = randomUUID();
      await storeFile(store, fileId, chunksOf([bytes]));
      return fileId;
    };
    const open = async (fileId: string, sha256?: string): Promise<OpenFile> => {
      const file = await store.open(fileId, sha256);
      assert.ok(file, `${fileId} must be there`);
      return file;
    };
    const read = async (fileId: string): Promise<Buffer> => sentBytes(await open(fileId));
    const listed = async (): Promise<string[]> =>
      (await Array.fromAsync(store.list())).map((file) => file.fileId);
    /** Stores a file as a use case does, which removes what an error leaves. */
    const storeOrRemove = async (fileId: string, bytes: AsyncIterable<Uint8Array>) =>
      storeFile(store, fileId, bytes).catch(async (error: unknown) => {
        await store.remove(fileId);
        throw error;
      });
    const assertNothingIsLeft = async (fileId: string): Promise<void> => {
      assert.equal(await store.open(fileId), undefined);
      assert.deepEqual(await listed(), []);
      assert.deepEqual(await harness.remains(), []);
    };

    test('any part of a file is returned alone, and none that reaches over its end', async () => {
      const content = contentOf(600_000);
      const fileId = await save(content);
      const firstByte = fc.nat(content.length - 1);
      const lengthBytes = fc.integer({ min: 1, max: content.length });
      await fc.assert(
        fc.asyncProperty(firstByte, lengthBytes, async (firstByte, lengthBytes) => {
          const file = await store.open(fileId, undefined, { firstByte, lengthBytes });
          const end = firstByte + lengthBytes;
          if (end > content.length) return assert.equal(file, undefined);
          assert.equal(file?.sizeBytes, lengthBytes);
          assert.ok(file && content.subarray(firstByte, end).equals(await sentBytes(file)));
        }),
        { numRuns: 20 },
      );
    });

    test('a file of any size and any chunks is returned unchanged', async () => {
      const chunkBytes = fc.oneof(fc.nat(10), fc.nat(70_000), fc.nat(1_500_000));
      await fc.assert(
        fc.asyncProperty(fc.array(chunkBytes, { maxLength: 6 }), async (lengths) => {
          const chunks = lengths.map((length) => contentOf(length));
          const whole = Buffer.concat(chunks);
          const fileId = randomUUID();
          await storeFile(store, fileId, chunksOf(chunks));
          const file = await open(fileId);
          assert.equal(file.sizeBytes, whole.length);
          assert.ok(whole.equals(await sentBytes(file)), 'the bytes must come back identical');
        }),
        { numRuns: 12, examples: [[[]], [[0]], [[0, 1, 0]], [[5_000_001]]] },
      );
    });

    test('concurrent uploads do not mix their files', async () => {
      const files = Array.from({ length: 8 }, (_, index) => ({
        fileId: randomUUID(),
        chunks: Array.from({ length: 8 }, () => contentOf(20_000 + index)),
      }));
      await Promise.all(files.map(({ fileId, chunks }) => storeFile(store, fileId, chunksOf(chunks))));
      for (const { fileId, chunks } of files) assert.ok(Buffer.concat(chunks).equals(await read(fileId)));
    });

    test('a stored file is never replaced', async () => {
      const fileId = await save(Buffer.from('first'));
      const before = await harness.remains();
      await assert.rejects(storeFile(store, fileId, chunksOf([Buffer.from('second')])), /stored already/);
      const left = (await harness.remains()).filter((name) => !before.includes(name));
      assert.ok(
        left.every((name) => name.startsWith('incoming/')),
        left.join(),
      );
      assert.equal((await read(fileId)).toString(), 'first');
    });

    test('a file is visible only once it is whole', async () => {
      const fileId = randomUUID();
      const rest = Promise.withResolvers<void>();
      const restAskedFor = Promise.withResolvers<void>();
      async function* pausing(): AsyncGenerator<Uint8Array> {
        yield contentOf(100_000);
        restAskedFor.resolve();
        await rest.promise;
        yield contentOf(100_000);
      }
      const saved = storeFile(store, fileId, pausing());
      await restAskedFor.promise;
      assert.equal(await store.open(fileId), undefined);
      assert.deepEqual(await listed(), []);
      rest.resolve();
      await saved;
      assert.deepEqual(await listed(), [fileId]);
    });

    for (const bytesBefore of [0, 1, 3_000_000]) {
      test(`a source that fails after ${bytesBefore} bytes leaves nothing`, async () => {
        const fileId = randomUUID();
        const failure = new Error('the source broke off');
        async function* failing(): AsyncGenerator<Uint8Array> {
          if (bytesBefore > 0) yield contentOf(bytesBefore);
          throw failure;
        }
        await assert.rejects(storeOrRemove(fileId, failing()), (error) => error === failure);
        await assertNothingIsLeft(fileId);
      });
    }

    test('a stream that fails before its first read leaves nothing', async () => {
      const fileId = randomUUID();
      const failure = new Error('the client went away');
      const source = new Readable({ read() {} });
      const saved = storeOrRemove(fileId, source);
      source.destroy(failure);
      await assert.rejects(saved, (error) => error === failure);
      await assertNothingIsLeft(fileId);
    });

    test('a stream that is destroyed without an error leaves nothing', async () => {
      const fileId = randomUUID();
      const source = new Readable({ read() {} });
      source.push(contentOf(100_000));
      const saved = storeOrRemove(fileId, source);
      source.once('data', () => source.destroy());
      await assert.rejects(saved);
      await assertNothingIsLeft(fileId);
    });

    /** Adds chunks one by one, each in a call of its own. */
    const appendEach = async (fileId: string, chunks: readonly Buffer[], from?: FileProgress) => {
      const sizeBytes = from?.sizeBytes ?? chunks.reduce((sum, { length }) => sum + length, 0);
      let progress: FileProgress = from ?? { sizeBytes, offsetBytes: 0, state: null };
      for (const chunk of chunks) {
        const after = await store.append(fileId, progress, chunksOf([chunk]));
        assert.equal(after?.offsetBytes, progress.offsetBytes + chunk.length);
        progress = after ?? assert.fail();
      }
      return progress;
    };

    test('a file that arrives in any pieces is stored once it is complete', async () => {
      const pieceBytes = fc.oneof(fc.nat(10), fc.nat(3_000_000), fc.constantFrom(8_388_608, 9_000_000));
      await fc.assert(
        fc.asyncProperty(fc.array(pieceBytes, { minLength: 1, maxLength: 5 }), async (lengths) => {
          const chunks = [...lengths, 1].map((length) => contentOf(length));
          const fileId = randomUUID();
          const progress = await appendEach(fileId, chunks);
          assert.equal(await store.open(fileId), undefined);
          assert.ok(await store.complete(fileId, progress));
          assert.ok(await store.complete(fileId, progress), 'a completion that is repeated');
          assert.ok(Buffer.concat(chunks).equals(await read(fileId)));
          assert.deepEqual(await listed(), [fileId]);
          await store.remove(fileId);
          await assertNothingIsLeft(fileId);
        }),
        { numRuns: 8, examples: [[[5, 16_777_216, 5]], [[8_388_608, 8_388_608]]] },
      );
    });

    for (const sizeBytes of [100_000, 9_000_000]) {
      test(`pieces of ${sizeBytes} bytes that fail or are not committed are sent again`, async () => {
        const [first, second, third] = [contentOf(sizeBytes), contentOf(sizeBytes), contentOf(sizeBytes)];
        const fileId = randomUUID();
        const start = { sizeBytes: 3 * sizeBytes, offsetBytes: 0, state: null };
        await appendEach(fileId, [contentOf(sizeBytes + 7)], start); // of a process that was killed
        const progress = await appendEach(fileId, [first], start);
        const failure = new Error('the source broke off');
        async function* failing(): AsyncGenerator<Uint8Array> {
          yield contentOf(sizeBytes);
          throw failure;
        }
        await assert.rejects(store.append(fileId, progress, failing()), (error) => error === failure);
        await appendEach(fileId, [contentOf(sizeBytes + 5)], progress); // of a process that was killed
        const end = await appendEach(fileId, [second, third], progress);
        await store.append(fileId, progress, chunksOf([second.subarray(0, 3)])); // of a process that has lost its lock
        assert.ok(await store.complete(fileId, end));
        assert.ok(Buffer.concat([first, second, third]).equals(await read(fileId)));
        const remaining = (await harness.remains()).length;
        await save(first);
        assert.equal(
          (await harness.remains()).length,
          2 * remaining,
          'as much as of a file whose bytes came at once',
        );
      });

      test(`an unfinished file with ${sizeBytes} bytes that is removed leaves nothing`, async () => {
        const fileId = randomUUID();
        const start = { sizeBytes: 3 * sizeBytes, offsetBytes: 0, state: null };
        const progress = await appendEach(fileId, [contentOf(sizeBytes), contentOf(sizeBytes)], start);
        await store.remove(fileId);
        await assertNothingIsLeft(fileId);
        for (const lost of [progress, { ...progress, state: null }])
          assert.equal(await store.append(fileId, lost, chunksOf([contentOf(sizeBytes)])), undefined);
        assert.equal(await store.complete(fileId, { ...progress, sizeBytes: progress.offsetBytes }), false);
      });
    }

    test('an opened file can be read after its removal', async () => {
      const content = contentOf(3_000_000);
      const fileId = await save(content);
      const file = await open(fileId);
      await store.remove(fileId);
      assert.ok(content.equals(await sentBytes(file)));
      await assertNothingIsLeft(fileId);
    });

    test('a file can be read concurrently', async () => {
      const content = contentOf(1_000_000);
      const fileId = await save(content);
      const readings = await Promise.all(Array.from({ length: 8 }, () => read(fileId)));
      for (const reading of readings) assert.ok(content.equals(reading));
    });

    // The first requests a pause after each chunk; the second accepts any number.
    for (const highWaterMark of [1, 2 ** 30]) {
      test(`a slow reader with room for ${highWaterMark} gets every byte`, async () => {
        const content = contentOf(3_000_000);
        const file = await open(await save(content));
        const chunks: Buffer[] = [];
        let mostWaiting = 0;
        const out = new Writable({
          highWaterMark,
          async write(chunk, _, done) {
            for (let turn = 0; turn < 100; turn++) await setImmediate();
            mostWaiting = Math.max(mostWaiting, out.writableLength);
            chunks.push(Buffer.from(chunk));
            done();
          },
        });
        await file.sendTo(out);
        assert.ok(Buffer.concat(chunks).equals(content));
        assert.ok(mostWaiting <= 2 ** 20, `${mostWaiting} bytes wait in memory`);
      });
    }

    // dispose() fails each of these when the handle stays open.
    const endings: Record<string, (file: OpenFile) => Promise<unknown>> = {
      'closed unread': (file) => file.close(),
      'closed twice': async (file) => {
        await Promise.all([file.close(), file.close()]);
        await file.close();
      },
      'read to its end': (file) => sentBytes(file),
      'read to its end and closed': async (file) => {
        await sentBytes(file);
        await file.close();
      },
      'sent to a destroyed stream': async (file) => {
        const out = new Writable();
        out.destroy();
        await assert.rejects(file.sendTo(out));
      },
      'sent to a stream that is destroyed midway': async (file) => {
        const out = new Writable({ write: () => out.destroy() });
        await assert.rejects(file.sendTo(out));
      },
      'sent to a stream that fails midway': async (file) => {
        const failure = new Error('the client went away');
        const out = new Writable({ write: (_, __, done) => done(failure) });
        await assert.rejects(file.sendTo(out), (error) => error === failure);
        assert.ok(out.destroyed);
      },
      'closed midway': async (file) => {
        const out = new Writable({ write: () => void file.close() });
        await assert.rejects(file.sendTo(out));
        assert.ok(out.destroyed);
      },
    };
    for (const [ending, end] of Object.entries(endings)) {
      test(`a file that was ${ending} is not open any more`, async () => {
        const fileId = await save(contentOf(3_000_000));
        await end(await open(fileId));
      });
    }

    for (const sizeBytes of [1, 70_000, 3_000_000]) {
      test(`the last bytes of a damaged file with ${sizeBytes} bytes are never sent`, async () => {
        const content = contentOf(sizeBytes);
        const fileId = await save(content);
        const right = hash('sha256', content);
        // The second time, the store has found the file undamaged.
        for (const wrong of [hash('sha256', 'other bytes'), '']) {
          const file = await open(fileId, wrong);
          let receivedBytes = 0;
          const out = new Writable({
            write(chunk, _, done) {
              receivedBytes += chunk.length;
              done();
            },
          });
          await assert.rejects(file.sendTo(out), { name: 'DamagedFileError', fileId });
          assert.ok(out.destroyed && !out.writableFinished);
          assert.ok(receivedBytes < sizeBytes, `${receivedBytes}`);
          assert.ok(content.equals(await sentBytes(await open(fileId, right))));
        }
      });
    }

    test('a part is compared with a digest of its own', async () => {
      const content = contentOf(200_000);
      const fileId = await save(content);
      const part = { firstByte: 50_000, lengthBytes: 100_000 };
      const bytes = content.subarray(50_000, 150_000);
      for (const digest of [hash('sha256', bytes), undefined]) {
        const file = await store.open(fileId, digest, part);
        assert.ok(file && bytes.equals(await sentBytes(file)));
      }
      const file = await store.open(fileId, hash('sha256', content), part);
      await assert.rejects(async () => file && sentBytes(file), { name: 'DamagedFileError', fileId });
    });

    test('removing a file or a missing file succeeds', async () => {
      const fileId = await save(contentOf(10));
      const other = await save(contentOf(20));
      await store.remove(fileId);
      assert.equal(await store.open(fileId), undefined);
      assert.deepEqual(await listed(), [other]);
      await store.remove(fileId);
      await store.remove(randomUUID());
      assert.deepEqual(await listed(), [other]);
    });

    test('the list has every file with its size', async () => {
      const expected = new Map<string, number>();
      for (let sizeBytes = 0; sizeBytes < 40; sizeBytes++)
        expected.set(await save(contentOf(sizeBytes)), sizeBytes);
      const files = await Array.fromAsync(store.list());
      assert.equal(files.length, expected.size);
      assert.deepEqual(new Map(files.map((file) => [file.fileId, file.sizeBytes])), expected);
    });

    test('a list that is ended early leaves nothing open', async () => {
      for (let count = 0; count < 3; count++) await save(contentOf(1));
      for await (const file of store.list()) {
        assert.equal(file.sizeBytes, 1);
        break;
      }
    });

    test('an id that is no UUID in lower case is refused without effect', async () => {
      const untouchable: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => assert.fail('the source of a refused file must not be read'),
      };
      const assertRefused = async (fileId: string): Promise<void> => {
        await assert.rejects(storeFile(store, fileId, untouchable));
        await assert.rejects(store.complete(fileId, { sizeBytes: 1, offsetBytes: 1, state: null }));
        await assert.rejects(store.open(fileId));
        await assert.rejects(store.remove(fileId));
      };
      const existing = await save(contentOf(10));
      const before = await harness.remains();
      for (const fileId of hostileIds(existing)) await assertRefused(fileId);
      await fc.assert(fc.asyncProperty(anyString(), assertRefused), { numRuns: 50 });
      assert.deepEqual(await harness.remains(), before);
    });

    test('checkWritable resolves for a writable storage', async () => {
      await store.checkWritable();
    });
  });
}

/** Returns ids made from a real one that have caused path traversal in other software. */
function hostileIds(fileId: string): string[] {
  const [head, tail] = [fileId.slice(0, 8), fileId.slice(8)];
  const texts =
    '|.|..|/|/etc/passwd|C:\\Windows\\win.ini|../ID|..\\ID|./ID|ID/|ID/../ID|ID\u0000|ID\n|\nID| ID|%2e%2e%2fID|' +
    '\u2024\u2024/ID|\uFF0E\uFF0E\uFF0FID|\u2025ID|{ID}|urn:uuid:ID|ID0';
  return [
    ...texts.split('|').map((text) => text.replaceAll('ID', fileId)),
    ...['../'.repeat(12), `${head}\u0000${tail}`, fileId.slice(1), fileId.toUpperCase().replace(/^./, 'A')],
    ...['', '/', '\u2010'].map((hyphen) => fileId.replaceAll('-', hyphen)),
    ...['\uFF11', 'g'].map((digit) => fileId.replace(/^./, digit)),
  ];
}

const NOISE = randomBytes(2 ** 20 + 7);
let contentsMade = 0;

/** Returns bytes of this length that differ from those of the last call. */
function contentOf(length: number): Buffer {
  const content = Buffer.alloc(length, NOISE);
  content.write(`${contentsMade++}`, 'latin1');
  return content;
}

async function* chunksOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Views of larger memory: an adapter must neither expect Buffers nor use all of `.buffer`.
  for (const chunk of chunks) yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
