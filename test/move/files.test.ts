import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, type TestContext, test } from 'node:test';
import { createFilesystemStore, prepareStorageDirectory } from '../../src/files/filesystem.ts';
import { createS3Store } from '../../src/files/s3.ts';
import { copyFiles } from '../../src/move/copy-files.ts';
import { createFindings } from '../../src/move/findings.ts';
import { readFingerprint } from '../../src/move/fingerprint.ts';
import { moveAll, verifyAll } from '../../src/move/move.ts';
import { codeOf, downloadLink, fileIdOf, START } from '../support/attempts.ts';
import { planBetween, SILENT, sqlitePlace } from '../support/moves.ts';
import { BUCKET, type S3Server, startS3Server } from '../support/s3-server.ts';
import { sentBytes } from '../support/sent-bytes.ts';
import { temporaryDirectory } from '../support/service.ts';

/** Sizes around those of the buffers that a file passes through. */
const SIZES = [1, 2, 255, 256 * 1024, 256 * 1024 + 1, 1024 * 1024, 3_000_001];

describe('moving files', () => {
  test('brings each whole, those of uploads without a link not, and the source stays', async (t) => {
    const { links, source, target } = await openPlaces(t);
    const moved = await copyFiles(links, { source, target, targetPlace: 'the target' }, SILENT);
    assert.deepEqual(
      { ...moved, missing: moved.missing.count, damaged: moved.damaged.count },
      { copied: SIZES.length, thereBefore: 0, bytes: SIZES.reduce((a, b) => a + b), missing: 0, damaged: 0 },
    );
    for (const [index, size] of SIZES.entries()) {
      for (const store of [source, target]) {
        const file = await store.open(fileIdOf(index));
        assert.ok(file);
        assert.ok(contentOf(index, size).equals(await sentBytes(file)), `${size} bytes`);
      }
    }
    assert.equal(await target.open(fileIdOf(99)), undefined);
    assert.deepEqual(await filesIn(target), SIZES.map((_, index) => fileIdOf(index)).sort());
  });

  test('goes on behind what an earlier run brought', async (t) => {
    const { links, source, target } = await openPlaces(t);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    let saves = 0;
    const filling = {
      ...target,
      save: (...args: Parameters<typeof target.save>) =>
        ++saves > 3 ? Promise.reject(full) : target.save(...args),
    };
    const stores = { source, target, targetPlace: 'the target' };
    await assert.rejects(copyFiles(links, { ...stores, target: filling }, SILENT), /no space left/);
    const before = (await filesIn(target)).length;
    assert.equal(before, 3);
    const moved = await copyFiles(links, stores, SILENT);
    assert.deepEqual([moved.copied, moved.thereBefore], [SIZES.length - before, before]);
  });

  test('tells files that are missing or not whole in the source, and goes on', async (t) => {
    const { links, source, target, sourceDirectory } = await openPlaces(t);
    rmSync(placeIn(sourceDirectory, fileIdOf(0)));
    truncateSync(placeIn(sourceDirectory, fileIdOf(3)), 7);
    const moved = await copyFiles(links, { source, target, targetPlace: 'the target' }, SILENT);
    assert.equal(moved.copied, SIZES.length - 2);
    assert.deepEqual(moved.missing.shown, [
      `file ${fileIdOf(0)} of link ${codeOf(0)} is missing in the source`,
      `file ${fileIdOf(3)} of link ${codeOf(3)} has 7 bytes in the source instead of ${SIZES[3]}`,
    ]);
  });

  test('finds a file that is damaged on the way, and copies it again the next time', async (t) => {
    const { from, source, target, targetDirectory } = await openPlaces(t);
    const victim = fileIdOf(4);
    const damaging: typeof target = {
      ...target,
      async save(fileId, bytes) {
        const saved = await target.save(fileId, bytes);
        if (fileId === victim) damage(targetDirectory, fileId);
        return saved;
      },
    };
    const to = sqlitePlace(t);
    const files = { source, target, targetPlace: 'the target' };
    await using plan = await planBetween(from, to, { files });
    const outcome = await moveAll({ ...plan, files: { ...files, target: damaging } });
    assert.equal(outcome.kind, 'differs');
    assert.deepEqual(outcome.findings.shown, [
      `file ${victim} of link ${codeOf(4)} was damaged on the way; it is copied again by the next run`,
    ]);
    await assert.rejects(to.openStore(), /npm run move/);
    const again = await moveAll(plan);
    assert.equal(again.kind, 'moved');
    assert.deepEqual([again.files?.copied, again.files?.thereBefore], [1, SIZES.length - 1]);
  });

  test('counts all that are damaged, and shows the first hundred', async (t) => {
    const { from, links, source, target } = await openPlaces(t);
    const damaged = createFindings();
    for (let index = 0; index < 150; index++) damaged.add(`file ${index} was damaged`);
    const files = { copied: 0, thereBefore: 0, bytes: 0, missing: createFindings(), damaged };
    const plan = { files: { source, target, targetPlace: 'the target' } };
    await using both = await planBetween(from, sqlitePlace(t), plan);
    const outcome = await verifyAll(
      { ...both, target: null },
      { fingerprint: await readFingerprint(links), files },
    );
    assert.equal(outcome.kind, 'differs');
    assert.equal(outcome.findings.count, 150);
    assert.deepEqual(outcome.findings.shown, damaged.shown);
    assert.equal(damaged.shown.length, 100);
  });

  test('compares what an earlier run brought too, and tells what has its size and other bytes', async (t) => {
    const { links, source, target, targetDirectory } = await openPlaces(t);
    const stores = { source, target, targetPlace: 'the target' };
    await copyFiles(links, stores, SILENT);
    damage(targetDirectory, fileIdOf(4));
    const moved = await copyFiles(links, stores, SILENT);
    const finding = `file ${fileIdOf(4)} of link ${codeOf(4)} has other bytes in the target than in the source`;
    assert.deepEqual(moved.damaged.shown, [finding]);
    assert.deepEqual([moved.copied, moved.thereBefore], [0, SIZES.length - 1]);
    await target.remove(fileIdOf(4));
    const again = await copyFiles(links, stores, SILENT);
    assert.deepEqual([again.copied, again.thereBefore, again.damaged.count], [1, SIZES.length - 1, 0]);
  });

  test('does not pass what an earlier run brought where the source has it no more', async (t) => {
    const { links, source, target, sourceDirectory } = await openPlaces(t);
    const stores = { source, target, targetPlace: 'the target' };
    await copyFiles(links, stores, SILENT);
    rmSync(placeIn(sourceDirectory, fileIdOf(0)));
    const moved = await copyFiles(links, stores, SILENT);
    assert.match(moved.damaged.shown.join('\n'), /is missing in the source, and .* compared with nothing$/);
    assert.deepEqual([moved.missing.count, moved.thereBefore], [0, SIZES.length - 1]);
  });

  test('leaves a file of another size in the target as it is, and tells it', async (t) => {
    const { links, source, target } = await openPlaces(t);
    await target.save(fileIdOf(2), Readable.from([Buffer.from('other')]));
    const moved = await copyFiles(links, { source, target, targetPlace: 'the target' }, SILENT);
    assert.deepEqual(moved.damaged.shown, [
      `file ${fileIdOf(2)} of link ${codeOf(2)} has 5 bytes in the target instead of 255`,
    ]);
  });

  test('is refused where the target has files of nobody', async (t) => {
    const { links, source, target } = await openPlaces(t);
    await target.save(fileIdOf(77), Readable.from([Buffer.from('mine')]));
    const stores = { source, target, targetPlace: 'the target' };
    await assert.rejects(copyFiles(links, stores, SILENT), /the target is not empty: it holds file .*77,/);
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

  test('brings each whole', async (t) => {
    const { links, source, target } = await openPlaces(t);
    const middle = bucket();
    const there = await copyFiles(links, { source, target: middle, targetPlace: 'the bucket' }, SILENT);
    const back = await copyFiles(links, { source: middle, target, targetPlace: 'the target' }, SILENT);
    assert.deepEqual([there.copied, back.copied], [SIZES.length, SIZES.length]);
    for (const [index, size] of SIZES.entries()) {
      const file = await target.open(fileIdOf(index));
      assert.ok(file);
      assert.ok(contentOf(index, size).equals(await sentBytes(file)), `${size} bytes`);
    }
  });

  test('that fails is told, and goes on when it is well', async (t) => {
    const { links, source } = await openPlaces(t);
    const target = bucket();
    const stores = { source, target, targetPlace: 'the bucket' };
    const mend = server.failAll('PutObject', { kind: 'status', status: 403, code: 'AccessDenied' });
    await assert.rejects(copyFiles(links, stores, SILENT), /AccessDenied|refused/);
    mend();
    const moved = await copyFiles(links, stores, SILENT);
    assert.equal(moved.copied + moved.thereBefore, SIZES.length);
    assert.equal(moved.damaged.count, 0);
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
    await store.begin(fileId, START);
    await source.save(fileId, Readable.from([contentOf(index, sizeBytes)]));
    await store.create(downloadLink(codeOf(index), { fileId, sizeBytes }));
  }
  await store.begin(fileIdOf(99), START);
  await source.save(fileIdOf(99), Readable.from([Buffer.from('no link')]));
  await store.close();
  const links = await from.source();
  t.after(() => links.close());
  return { from, links, source, target, sourceDirectory, targetDirectory };
}

/** Bytes that are different in each place, so that none can be lost, doubled or moved unseen. */
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

async function filesIn(store: ReturnType<typeof createFilesystemStore>): Promise<string[]> {
  const found: string[] = [];
  for await (const { fileId } of store.list()) found.push(fileId);
  return found.sort();
}
