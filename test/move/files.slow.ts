import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, type TestContext, test } from 'node:test';
import { createFilesystemStore } from '../../src/adapters/files/filesystem.ts';
import { createS3Store } from '../../src/adapters/files/s3.ts';
import { prepareStorageDirectory } from '../../src/adapters/files/storage-directory.ts';
import type { Digest } from '../../src/core/model/stored-file.ts';
import type { FileStore } from '../../src/core/ports/file-store.ts';
import type { NeededFile } from '../../src/core/use-cases/files/compare-files.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { readKnownFiles } from '../../src/stores/sql/linked-files.ts';
import { copyFiles, copyLinkFiles, type FilePlaces, listSizes } from '../../src/tools/copy/copy-files.ts';
import { codeOf, downloadLink, fileIdOf, newChange, START } from '../support/attempts.ts';
import { moveBetween, SILENT } from '../support/moves.ts';
import { BUCKET, type S3Server, startS3Server } from '../support/s3-server.ts';
import { sentBytes } from '../support/sent-bytes.ts';
import { temporaryDirectory } from '../support/service.ts';
import { sqlitePlace } from '../support/store-places.ts';

/** Sizes around those of the buffers. */
const SIZES = [1, 2, 255, 256 * 1024, 256 * 1024 + 1, 1024 * 1024, 3_000_001];

describe('moving files', () => {
  test('a move copies the file of each link, and no other', async (t) => {
    const { copy, stores, source, target } = await openPlaces(t);
    const moved = await copy(stores);
    assert.deepEqual(
      { ...moved, files: moved.files.size, missing: moved.missing.size, damaged: moved.damaged.size },
      {
        ...{ files: SIZES.length, newCount: SIZES.length, newBytes: SIZES.reduce((a, b) => a + b) },
        ...{ missing: 0, damaged: 0, others: 0 },
      },
    );
    for (const store of [source, target]) await assertHasContents(store);
    assert.deepEqual(await filesIn(target), SIZES.map((_, index) => fileIdOf(index)).sort());
  });

  test('a move copies the rest after a failure, and does not send again what is there', async (t) => {
    const { copy, stores: working, target, targetDirectory } = await openPlaces(t);
    let freeFiles = 3;
    const filling = {
      ...target,
      async append(...args: Parameters<typeof target.append>) {
        if (freeFiles === 0) throw new Error('no space left on device');
        freeFiles -= 1;
        return target.append(...args);
      },
    };
    const stores = { ...working, target: { ...working.target, files: filling } };
    await assert.rejects(copy(stores), /no space left/);
    mkdirSync(join(targetDirectory, 'incoming'), { recursive: true });
    writeFileSync(join(targetDirectory, 'incoming', fileIdOf(6)), 'half');
    assert.equal((await filesIn(target)).length, 3);
    freeFiles = SIZES.length - 3;
    const moved = await copy(stores);
    assert.deepEqual([moved.files.size, freeFiles], [SIZES.length, 0]);
  });

  test('a move reports files that are missing, not whole or damaged in the source, and copies the others', async (t) => {
    const { copy, stores, target, sourceDirectory } = await openPlaces(t);
    rmSync(placeIn(sourceDirectory, fileIdOf(0)));
    truncateSync(placeIn(sourceDirectory, fileIdOf(3)), 7);
    damage(sourceDirectory, fileIdOf(4));
    const moved = await copy(stores);
    assert.equal(moved.files.size, SIZES.length - 3);
    assert.equal((await filesIn(target)).length, SIZES.length - 3);
    assert.deepEqual([...moved.missing.values()].sort(), [
      `file ${fileIdOf(0)} of link ${codeOf(0)} is missing in the source`,
      `file ${fileIdOf(3)} of link ${codeOf(3)} has 7 bytes instead of ${SIZES[3]} in the source`,
      `file ${fileIdOf(4)} of link ${codeOf(4)} has other bytes than were uploaded in the source`,
    ]);
  });

  test('a move finds a file that is damaged on the way, and copies it again after a restart', async (t) => {
    const { from, stores, target, targetDirectory } = await openPlaces(t);
    const victim = fileIdOf(4);
    const damaging: typeof target = {
      ...target,
      async complete(fileId, progress) {
        const isComplete = await target.complete(fileId, progress);
        if (fileId === victim) damage(targetDirectory, fileId);
        return isComplete;
      },
    };
    const to = sqlitePlace(t);
    const outcome = await moveBetween(from, to, {
      files: { ...stores, target: { ...stores.target, files: damaging } },
    });
    assert.equal(outcome.kind, 'differs');
    assert.deepEqual(outcome.differences, [`file ${victim} of link ${codeOf(4)} was damaged on the way`]);
    await assert.rejects(to.openStore(), /postern move/);
    const again = await moveBetween(from, to, { files: stores, restart: true });
    assert.equal(again.kind, 'moved');
    assert.equal(again.files?.files.size, SIZES.length);
  });

  test('a move finds a file that the target already has with other bytes, and does not replace it', async (t) => {
    const { copy, stores, targetDirectory } = await openPlaces(t);
    await copy(stores);
    damage(targetDirectory, fileIdOf(4));
    truncateSync(placeIn(targetDirectory, fileIdOf(5)), 5);
    const damaged = readFileSync(placeIn(targetDirectory, fileIdOf(4)));
    const moved = await copy(stores);
    assert.equal(moved.files.size, SIZES.length - 2);
    assert.deepEqual(
      [...moved.damaged.values()].sort(),
      [4, 5].map(
        (index) =>
          `file ${fileIdOf(index)} of link ${codeOf(index)} has other bytes in the target than were uploaded: ` +
          'remove it there',
      ),
    );
    assert.deepEqual(readFileSync(placeIn(targetDirectory, fileIdOf(4))), damaged);
  });

  test('a move accepts an undamaged file that only the target has', async (t) => {
    const { copy, stores, sourceDirectory } = await openPlaces(t);
    await copy(stores);
    rmSync(placeIn(sourceDirectory, fileIdOf(0)));
    const moved = await copy(stores);
    assert.deepEqual([moved.files.size, moved.missing.size, moved.damaged.size], [SIZES.length, 0, 0]);
  });

  test('a backup replaces a file with other bytes, and does not read one that it knows', async (t) => {
    const { stores, target, targetDirectory } = await openPlaces(t);
    const bytes = (index: number) => contentOf(index, SIZES[index] ?? 0);
    const needed = [3, 4].map((index) => ({
      ...{ fileId: fileIdOf(index), shortCode: codeOf(index) },
      ...{ sizeBytes: bytes(index).length, sha256: hash('sha256', bytes(index)) },
    }));
    const copyTo = async (
      known: Map<string, Digest>,
      encrypt: typeof invert | null = null,
      files: FileStore = target,
    ) => {
      const places = { ...stores, target: { ...stores.target, files, backups: { encrypt, known } } };
      return copyFiles(needed, { ...places, stored: await listSizes(target) }, SILENT);
    };
    const first = await copyTo(new Map());
    assert.deepEqual([first.newCount, first.files], [2, new Map(needed.map(digestById))]);
    damage(targetDirectory, fileIdOf(4));
    assert.equal((await copyTo(first.files)).newCount, 0, 'of the same size');
    assert.equal((await copyTo(new Map())).newCount, 1);
    assert.ok(bytes(4).equals(readFileSync(placeIn(targetDirectory, fileIdOf(4)))));
    truncateSync(placeIn(targetDirectory, fileIdOf(3)), 7);
    assert.equal((await copyTo(first.files)).newCount, 1);

    for (const { fileId } of needed) await target.remove(fileId);
    const encrypted = await copyTo(new Map(), invert);
    const inverted = bytes(4).map((byte) => byte ^ 255);
    assert.ok(readFileSync(placeIn(targetDirectory, fileIdOf(4))).equals(inverted));
    assert.equal(encrypted.files.get(fileIdOf(4))?.sha256, hash('sha256', inverted));
    truncateSync(placeIn(targetDirectory, fileIdOf(3)), 7);
    assert.equal((await copyTo(encrypted.files, invert)).newCount, 1, 'of another size than it had');
    const again = await copyTo(new Map(), invert);
    assert.deepEqual([again.newCount, again.files], [0, encrypted.files], 'they were read');

    for (const { fileId } of needed) await target.remove(fileId);
    const damaging: FileStore = {
      ...target,
      async complete(fileId, progress) {
        const isComplete = await target.complete(fileId, progress);
        damage(targetDirectory, fileId);
        return isComplete;
      },
    };
    const { files, damaged } = await copyTo(new Map(), invert, damaging);
    assert.deepEqual(
      [files.size, [...damaged.values()].map((text) => /was damaged on the way/.test(text))],
      [0, [true, true]],
    );
    assert.deepEqual(await filesIn(target), []);
  });

  test('a second copy leaves files that were replaced since the first one', async (t) => {
    const { from, copy, stores, target } = await openPlaces(t);
    const [removed, waiting] = [fileIdOf(77), fileIdOf(78)];
    for (const fileId of [removed, waiting])
      await storeFile(target, fileId, Readable.from([Buffer.from('replaced')]));
    await from.run(`INSERT INTO upload (file_id, active_at, taken) VALUES ('${waiting}', 0, true)`);
    assert.equal((await copy(stores)).others, 1);
    assert.equal((await copy(stores)).others, 1);
    assert.equal((await filesIn(target)).length, SIZES.length + 2);
  });

  test('a move is refused where the target has a file of no link', async (t) => {
    const { copy, stores, target } = await openPlaces(t);
    await storeFile(target, fileIdOf(77), Readable.from([Buffer.from('mine')]));
    await assert.rejects(copy(stores), /the target is not empty: it holds file .*77,/);
    assert.deepEqual(await filesIn(target), [fileIdOf(77)]);
  });
});

describe('moving files to object storage and back', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3Server();
  });
  after(() => server.stop());

  const bucket = () =>
    createS3Store({
      bucket: BUCKET,
      prefix: randomUUID(),
      endpoint: server.endpoint,
      region: null,
      pathStyle: true,
      timeoutMs: 10_000,
    });

  test('a move copies the file of each link', async (t) => {
    const { copy, source, target } = await openPlaces(t);
    const middle = bucket();
    const there = await copy(placesOf(source, middle));
    const back = await copy(placesOf(middle, target));
    assert.deepEqual([there.files.size, back.files.size], [SIZES.length, SIZES.length]);
    await assertHasContents(target);
  });

  test('a move fails with the error of the storage, and copies everything once that is gone', async (t) => {
    const { copy, source } = await openPlaces(t);
    const target = bucket();
    const stores = placesOf(source, target);
    const recover = server.failAll('PutObject', { kind: 'status', status: 403, code: 'AccessDenied' });
    await assert.rejects(copy(stores), /AccessDenied|refused/);
    recover();
    const moved = await copy(stores);
    assert.equal(moved.files.size, SIZES.length);
    assert.equal(moved.damaged.size, 0);
  });
});

async function openPlaces(t: TestContext) {
  const from = sqlitePlace(t);
  const sourceDirectory = join(temporaryDirectory(t), 'from');
  const targetDirectory = join(temporaryDirectory(t), 'to');
  for (const directory of [sourceDirectory, targetDirectory]) await prepareStorageDirectory(directory);
  const [source, target] = [sourceDirectory, targetDirectory].map((directory) =>
    createFilesystemStore({ directory }),
  );
  assert.ok(source && target);
  const store = await from.openStore();
  for (const [index, sizeBytes] of SIZES.entries()) {
    const fileId = fileIdOf(index);
    const content = contentOf(index, sizeBytes);
    const sha256 = hash('sha256', content);
    await store.begin(fileId, START);
    await storeFile(source, fileId, Readable.from([content]));
    await store.create(downloadLink(codeOf(index), { fileId, sizeBytes, sha256 }), newChange());
  }
  await store.begin(fileIdOf(99), START);
  await storeFile(source, fileIdOf(99), Readable.from([Buffer.from('no link')]));
  await store.close();
  const stores = placesOf(source, target);
  const copy = async (places: FilePlaces) =>
    copyLinkFiles(await from.read(({ query }) => readKnownFiles(query)), places, SILENT);
  return { from, copy, stores, source, target, sourceDirectory, targetDirectory };
}

const placesOf = (source: FileStore, target: FileStore): FilePlaces => ({
  source: { name: 'the source', files: source },
  target: { name: 'the target', files: target },
});

/** Stands for an encryption. */
async function* invert(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) yield chunk.map((byte) => byte ^ 255);
}

const digestById = ({ fileId, sizeBytes, sha256 }: NeededFile): [string, Digest] => [
  fileId,
  { sizeBytes, sha256 },
];

/** Returns bytes that differ by position, so that a lost, doubled or moved one is found. */
function contentOf(index: number, size: number): Buffer {
  const numbers = Uint32Array.from({ length: Math.ceil(size / 4) }, (_, place) => place * 31 + index);
  return Buffer.from(numbers.buffer).subarray(0, size);
}

/** Changes one bit of a file. */
function damage(directory: string, fileId: string): void {
  const path = placeIn(directory, fileId);
  const content = readFileSync(path);
  content.writeUInt8(content.readUInt8(1000) ^ 1, 1000);
  writeFileSync(path, content);
}

function placeIn(directory: string, fileId: string): string {
  return join(directory, fileId.slice(0, 2), fileId.slice(2, 4), fileId);
}

async function filesIn(store: FileStore): Promise<string[]> {
  return (await Array.fromAsync(store.list())).map(({ fileId }) => fileId).sort();
}

/** Checks that a store has the bytes of each link's file. */
async function assertHasContents(store: FileStore): Promise<void> {
  for (const [index, size] of SIZES.entries()) {
    const file = await store.open(fileIdOf(index));
    assert.ok(file);
    assert.ok(contentOf(index, size).equals(await sentBytes(file)), `${size} bytes`);
  }
}
