import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  prepareUploadSpace,
  TooLittleSpaceError,
  type UploadSpace,
} from '../../src/core/use-cases/files/upload-space.ts';

/** A disk with a clock. Both stand still until a test moves them. */
function makeDisk(freeBytes: number | null, minFreeBytes = 1_000) {
  const disk = { freeBytes, nowMs: 0, measurements: 0, fails: false };
  const files = {
    async freeBytes() {
      disk.measurements += 1;
      if (disk.fails) throw new Error('the disk is gone');
      return disk.freeBytes;
    },
  };
  return { disk, space: prepareUploadSpace({ files, minFreeBytes, nowMs: () => disk.nowMs }) };
}

const assertRefused = (space: UploadSpace, bytes: number) =>
  assert.rejects(space.reserve(bytes), TooLittleSpaceError);

test('an upload that would leave less than the minimum is refused', async () => {
  const { space } = makeDisk(1_500);
  await assertRefused(space, 501);
  assert.ok(await space.reserve(500));
});

test('bytes that a running upload announced count as used, up to as many as it has sent', async () => {
  const { space } = makeDisk(1_500);
  const first = await space.reserve(400);
  assert.equal(first?.receive(100), true);
  assert.ok(await space.reserve(300));
  await assertRefused(space, 301);
  first?.receive(100);
  assert.ok(await space.reserve(100));
  await assertRefused(space, 101);
  first?.release();
  first?.release();
  assert.ok(await space.reserve(300));
  await assertRefused(space, 301);
});

test('500 stalled uploads that announce 50 MB each leave the space to another', async () => {
  const { space } = makeDisk(60_000_000);
  for (let stalled = 0; stalled < 500; stalled++) {
    assert.equal((await space.reserve(50_000_000))?.receive(100), true);
  }
  const upload = await space.reserve(50_000_000);
  for (let sent = 0; sent < 50; sent++) assert.equal(upload?.receive(1_000_000), true);
});

test('one of two uploads that do not both fit completes', async () => {
  const { disk, space } = makeDisk(61_000);
  const uploads = [await space.reserve(50_000), await space.reserve(50_000)];
  const refused = new Set<(typeof uploads)[number]>();
  for (let sent = 0; sent < 50; sent++) {
    for (const upload of uploads) {
      if (refused.has(upload) || upload?.receive(1_000)) continue;
      upload?.release();
      refused.add(upload);
      disk.nowMs += 1_000; // its file is removed
      disk.freeBytes = 61_000 - 1_000 * (sent + 1);
      await space.read();
    }
  }
  assert.equal(refused.size, 1);
});

test('bytes that arrived count as used until they are measured', async () => {
  const { disk, space } = makeDisk(1_500);
  const upload = await space.reserve(400);
  assert.equal(upload?.receive(300), true);
  await assertRefused(space, 200);
  disk.nowMs = 1_000;
  disk.freeBytes = 1_200;
  assert.ok(await space.reserve(100), '100 of 200 bytes are announced and have not arrived');
  await assertRefused(space, 101);
});

test('an upload of unknown length ends when the minimum is reached', async () => {
  const { space } = makeDisk(1_500);
  const upload = await space.reserve(0);
  assert.equal(upload?.receive(500), true);
  assert.equal(upload?.receive(1), false);
});

test('an upload ends when something else fills the disk', async () => {
  const { disk, space } = makeDisk(1_000_000);
  const upload = await space.reserve(10_000);
  assert.equal(upload?.receive(100), true);
  disk.freeBytes = 1_200;
  disk.nowMs = 1_000;
  upload?.receive(100);
  await space.read();
  assert.equal(upload?.receive(100), false);
});

test('the space is measured at most once a second, and once for concurrent callers', async () => {
  const { disk, space } = makeDisk(1_500);
  await Promise.all([space.reserve(1), space.reserve(1), space.read()]);
  disk.nowMs = 999;
  await space.reserve(1);
  assert.equal(disk.measurements, 1);
  disk.nowMs = 1_000;
  await space.reserve(1);
  assert.equal(disk.measurements, 2);
});

test('an upload is not refused without a minimum, for a bucket, or where the disk cannot be measured', async () => {
  assert.ok(await makeDisk(0, 0).space.reserve(1));
  assert.ok(await makeDisk(null).space.reserve(1));
  const { disk, space } = makeDisk(0);
  disk.fails = true;
  assert.ok(await space.reserve(1));
  assert.equal(await space.read(), null);
});

test('the space is reported with its minimum', async () => {
  const atMinimum = { freeBytes: 1_000, minFreeBytes: 1_000, acceptsUploads: false };
  assert.deepEqual(await makeDisk(1_000).space.read(), atMinimum);
  assert.deepEqual(await makeDisk(1_001).space.read(), {
    ...atMinimum,
    freeBytes: 1_001,
    acceptsUploads: true,
  });
  assert.deepEqual(await makeDisk(0, 0).space.read(), {
    freeBytes: 0,
    minFreeBytes: 0,
    acceptsUploads: true,
  });
});
