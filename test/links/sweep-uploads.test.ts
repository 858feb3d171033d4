import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createFilesystemStore } from '../../src/adapters/files/filesystem.ts';
import { prepareStorageDirectory } from '../../src/adapters/files/storage-directory.ts';
import { OWNED_BY_REQUEST, UPLOAD_LOCK_MS } from '../../src/core/model/resumable-upload.ts';
import type { FileStore } from '../../src/core/ports/file-store.ts';
import {
  fileOf,
  MAX_UPLOAD_MS,
  prepareReceiveFile,
  storeFile,
} from '../../src/core/use-cases/files/receive-file.ts';
import {
  prepareSweepUploads,
  STALE_UPLOAD_MS,
  type SweepUploads,
} from '../../src/core/use-cases/files/sweep-uploads.ts';
import { prepareUploadSpace } from '../../src/core/use-cases/files/upload-space.ts';
import { codeOf, downloadLink, newChange, requestLink, START } from '../support/attempts.ts';
import { openSqliteHarness, type SqliteHarness } from '../support/sqlite-harness.ts';

/** The first moment at which an upload that began at `START` is swept. */
const STALE_AT = START + STALE_UPLOAD_MS + 1;

describe('the sweep of uploads', () => {
  let harness: SqliteHarness;
  let storage: string;
  let files: FileStore;
  let sweep: SweepUploads;
  beforeEach(async () => {
    harness = await openSqliteHarness();
    storage = join(harness.directory, 'files');
    await prepareStorageDirectory(storage);
    files = createFilesystemStore({ directory: storage });
    sweep = prepareSweepUploads({ files, uploads: harness.store, links: harness.store, elapsedMs: () => 0 });
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  /** Completes an upload that began at `at` and has no link yet. */
  async function upload(at = START): Promise<string> {
    const uploadSpace = prepareUploadSpace({ files, minFreeBytes: 0, nowMs: () => 0 });
    const uploads = harness.store;
    const receive = prepareReceiveFile({
      files,
      uploads,
      ...{ uploadSpace, quota: { totalBytes: null, perOwnerBytes: null } },
      clock: () => at,
      newFileId: randomUUID,
    });
    return receive(fileOf('a.txt', Buffer.from('bytes'), 'ANONYMOUS'), async ({ fileId }) => fileId);
  }

  const stored = async (): Promise<string[]> =>
    (await Array.fromAsync(files.list())).map(({ fileId }) => fileId).sort();

  const link = (index: number, fileId: string) =>
    harness.store.create(downloadLink(codeOf(index), { fileId }), newChange());

  test('the wait is longer than any upload, so that none in progress is claimed', () => {
    assert.ok(STALE_UPLOAD_MS > MAX_UPLOAD_MS);
  });

  test('an upload for a request that ended is deleted once the lock of a killed process has ended', async () => {
    const [fileId, owner] = [randomUUID(), `${OWNED_BY_REQUEST}${codeOf(1)}`];
    const upload = { owner, fileName: 'a.txt', sizeBytes: 9, files: null, metadata: null };
    await harness.store.create(requestLink(codeOf(1)), newChange());
    await harness.store.begin(fileId, START, upload);
    await harness.store.lock({ fileId, token: 'a', now: START }, owner);
    assert.equal(await sweep(START + UPLOAD_LOCK_MS + 1), 0, 'its request still takes files');
    await harness.store.revoke(codeOf(1), newChange());
    assert.equal(await sweep(START + UPLOAD_LOCK_MS), 0, 'its request may still add bytes');
    assert.equal(await sweep(START + UPLOAD_LOCK_MS + 1), 1);
  });

  test('a file that the ledger does not name stays', async () => {
    const unknown = randomUUID();
    await storeFile(files, unknown, Readable.from([Buffer.from('put here by a person')]));
    assert.equal(await sweep(STALE_AT * 2), 0);
    assert.deepEqual(await stored(), [unknown]);
  });

  test('all stale uploads are deleted, and none that has a link or may still be in progress', async () => {
    const old = await Promise.all(Array.from({ length: 230 }, () => upload()));
    const linked = old.splice(0, 10);
    await Promise.all(linked.map((fileId, index) => link(index, fileId)));
    const young = await Promise.all(Array.from({ length: 10 }, () => upload(START + 1)));
    assert.equal(await sweep(STALE_AT), old.length);
    assert.deepEqual(await stored(), [...linked, ...young].sort());
  });

  /** Begins uploads, and makes the files of the first ones, by their ids, impossible to remove. */
  async function beginUploads(count: number, stuck: number): Promise<string[]> {
    const fileIds = Array.from({ length: count }, () => randomUUID()).sort();
    for (const fileId of fileIds) await harness.store.begin(fileId, START);
    for (const fileId of fileIds.slice(0, stuck)) await mkdir(obstacleOf(fileId), { recursive: true });
    return fileIds;
  }

  const obstacleOf = (fileId: string): string =>
    join(storage, fileId.slice(0, 2), fileId.slice(2, 4), fileId);

  test('uploads after a hundred that cannot be removed are swept, and the failures are counted', async () => {
    const fileIds = await beginUploads(150, 100);
    await assert.rejects(sweep(STALE_AT), /^AggregateError: 100 of 150 stale uploads could not be removed$/);
    assert.deepEqual(await harness.store.claimStale(STALE_AT, 200), fileIds.slice(0, 100));
    for (const fileId of fileIds.slice(0, 100)) await rmdir(obstacleOf(fileId));
    assert.equal(await sweep(STALE_AT), 100);
  });

  test('a run that takes too long ends, and the next one continues after it', async () => {
    const [stuck = '', ...others] = await beginUploads(3, 1);
    let elapsedMs = 0;
    const slowSweep = prepareSweepUploads({
      files,
      uploads: harness.store,
      links: harness.store,
      elapsedMs: () => {
        elapsedMs += 15_000; // by the end of the first file, the time of the run is over
        return elapsedMs * 2;
      },
    });
    await assert.rejects(slowSweep(STALE_AT), /1 of 1 stale uploads/);
    for (const _ of others) assert.equal(await slowSweep(STALE_AT), 1);
    assert.deepEqual(await harness.store.claimStale(STALE_AT, 10), [stuck]);
    await rmdir(obstacleOf(stuck));
    assert.equal((await slowSweep(STALE_AT)) + (await slowSweep(STALE_AT)), 1);
  });

  test('concurrent creations leave no link without its file and no file without its link', async () => {
    const fileIds = await Promise.all(Array.from({ length: 40 }, () => upload()));
    const [swept, ...links] = await Promise.all([
      sweep(STALE_AT),
      ...fileIds.map((fileId, index) => link(index, fileId)),
    ]);
    const linked = fileIds.filter((_, index) => links[index] === 'created');
    assert.deepEqual(await stored(), linked.sort());
    assert.equal(swept, fileIds.length - linked.length);
  });
});
