import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  type BufferPair,
  createReadQueue,
  createTransferBuffers,
  singleUseFile,
} from '../../src/adapters/files/transfer.ts';

const MIB = 1024 ** 2;
const bytesOf = (pairs: BufferPair[]) => pairs.flat().reduce((sum, { length }) => sum + length, 0);

test('a thousand downloads hold at most 16 MiB and 64 KiB each', () => {
  const buffers = createTransferBuffers();
  const pairs = Array.from({ length: 1_000 }, () => buffers.acquire(50 * MIB));
  assert.ok(bytesOf(pairs) <= 16 * MIB + 1_000 * 64 * 1024, `${bytesOf(pairs) / MIB} MiB`);
});

test('a few downloads have large buffers, also after a thousand ended', () => {
  const buffers = createTransferBuffers();
  const large = [buffers.acquire(50 * MIB)];
  for (const pair of Array.from({ length: 1_000 }, () => buffers.acquire(50 * MIB))) buffers.release(pair);
  for (let count = 1; count < 32; count++) large.push(buffers.acquire(50 * MIB));
  assert.equal(bytesOf(large), 16 * MIB);
  assert.equal(new Set(large.flat()).size, 64, 'no two downloads share a buffer');
});

test('a small file has buffers no larger than itself', () => {
  const buffers = createTransferBuffers();
  assert.deepEqual(
    [0, 10, 32 * 1024, 64 * 1024].map((size) => buffers.acquire(size)[0].length),
    [0, 10, 32 * 1024, 32 * 1024],
  );
});

test('a file that is closed while it is sent is released once, and before either ends', async () => {
  const release = Promise.withResolvers<void>();
  let releases = 0;
  const file = singleUseFile({
    sizeBytes: 2,
    copyTo: (out) => out.write(Buffer.from('ab')),
    release() {
      releases += 1;
      return releases === 1 ? release.promise : Promise.resolve();
    },
  });
  const closing = Promise.withResolvers<void>();
  const out = new Writable({ write: () => closing.resolve(file.close()) });
  let isReleased = false;
  const sending = assert.rejects(file.sendTo(out)).then(() => assert.ok(isReleased));
  await setImmediate();
  isReleased = true;
  release.resolve();
  await Promise.all([sending, closing.promise]);
  assert.equal(releases, 1);
});

test('reads run in their order, at most four at once, also after one failed', async () => {
  const queueRead = createReadQueue();
  const reads = Array.from({ length: 6 }, () => Promise.withResolvers<number>());
  const begun: number[] = [];
  const results = reads.map(({ promise }, index) =>
    queueRead(() => {
      begun.push(index);
      return promise;
    }),
  );
  await setImmediate();
  assert.deepEqual(begun, [0, 1, 2, 3]);
  reads[2]?.reject(new Error('the disk failed'));
  await assert.rejects(Promise.resolve(results[2]), /the disk failed/);
  await setImmediate();
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  for (const [index, { resolve }] of reads.entries()) resolve(index);
  assert.deepEqual(await Promise.all(results.toSpliced(2, 1)), [0, 1, 3, 4, 5]);
});

test('when all reads have ended, four run at once again', async () => {
  const queueRead = createReadQueue();
  await Promise.all(Array.from({ length: 9 }, () => queueRead(() => Promise.resolve())));
  let begun = 0;
  for (let read = 0; read < 9; read++)
    void queueRead(() => {
      begun += 1;
      return new Promise(() => undefined);
    });
  await setImmediate();
  assert.equal(begun, 4);
});
