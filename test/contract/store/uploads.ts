import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { toSet } from '../../../src/core/model/files-digest.ts';
import { UPLOAD_LOCK_MS } from '../../../src/core/model/resumable-upload.ts';
import { sumAll } from '../../../src/core/model/storage-quota.ts';
import type { Store } from '../../../src/stores/store.ts';
import { codeOf, downloadLink, fileIdOf, newChange, START } from '../../support/attempts.ts';
import type { TestStore } from '../store-harness.ts';

const FILE = fileIdOf(1);
const FOREVER = Number.MAX_SAFE_INTEGER;

const storedFile = (index: number) => ({
  fileId: fileIdOf(index),
  fileName: `${index}.txt`,
  sizeBytes: 1,
  sha256: hash('sha256', `${index}`),
});

const link = (store: Store, index: number, fileId = fileIdOf(index)) =>
  store.create(downloadLink(codeOf(index), { fileId }), newChange());

/** Returns whether a link was created; the only other result may be that its upload is gone. */
async function wasCreated(creation: ReturnType<typeof link>): Promise<boolean> {
  const result = await creation;
  assert.notEqual(result, 'short-code-taken');
  return result === 'created';
}

/** Tests the ledger of uploads: each leaves it in exactly one way. */
export function uploadContract(testStore: TestStore): void {
  testStore('a link takes over its upload, which can no longer be withdrawn', async ({ store }) => {
    await store.begin(FILE, START);
    assert.equal(await link(store, 1), 'created');
    assert.equal(await store.abandon(FILE), false);
    assert.deepEqual(await store.claimStale(FOREVER, 10), []);
  });

  testStore('an upload gets one link only', async ({ store }) => {
    await store.begin(FILE, START);
    const created = [1, 2, 3].map((index) => wasCreated(link(store, index, FILE)));
    assert.equal((await Promise.all(created)).filter(Boolean).length, 1);
    assert.equal(await link(store, 4, FILE), 'upload-gone');
  });

  testStore('the files of a set follow it to another code, and go with their names', async (harness) => {
    const setOf = (index: number) => {
      const names = [`${index}/a`, `${index}/ü`];
      return toSet(
        names.map((fileName) => ({ fileName, sizeBytes: 2 ** 40, sha256: '00', crc32: 2 ** 32 - 1 })),
      );
    };
    const { store } = harness;
    for (const index of [1, 2]) await store.begin(fileIdOf(index), START);
    await store.create(downloadLink(codeOf(1), { fileId: fileIdOf(1), ...setOf(1) }), newChange());
    const records = { revocation: newChange(), creation: newChange() };
    await store.changeCode(codeOf(1), { shortCode: codeOf(2), versions: null }, records);
    await harness.reopen();
    assert.deepEqual(await harness.store.readParts(fileIdOf(1)), setOf(1).parts);
    const file = { ...storedFile(2), ...setOf(2) };
    const { result } = await harness.store.change(
      codeOf(2),
      { patch: { file }, versions: null },
      newChange(),
    );
    assert.equal(result, 'changed');
    assert.equal(await harness.store.readParts(fileIdOf(1)), undefined);
    assert.deepEqual(await harness.store.readParts(fileIdOf(2)), setOf(2).parts);
    await harness.store.revoke(codeOf(2), newChange());
    await harness.store.erasures.project('position');
    await harness.store.erasures.erasePart('FILE', [codeOf(2)], START);
    const { target } = (await harness.store.read(codeOf(2))) ?? {};
    const erasedId = target?.type === 'DOWNLOAD' ? target.file.fileId : '';
    assert.deepEqual(await harness.store.readParts(erasedId), setOf(2).parts, 'the names are terms');
    await harness.store.erasures.erasePart('TERMS', [codeOf(2)], START);
    for (const fileId of [fileIdOf(2), erasedId])
      assert.equal(await harness.store.readParts(fileId), undefined);
  });

  testStore('files take space from the beginning of their upload until they are erased', async (harness) => {
    const quota = { totalBytes: 25, perOwnerBytes: 10 };
    let index = 0;
    const begin = (quotaOwner: string, bytes: number) => {
      index += 1;
      const upload = {
        ...{ owner: quotaOwner, fileName: 'a', sizeBytes: bytes },
        files: null,
        metadata: null,
      };
      const resumable = index % 2 === 0 ? upload : undefined; // a form, or an upload that resumes
      return harness.store.begin(fileIdOf(index), START, resumable, { quotaOwner, bytes, quota });
    };
    const beginMany = async (quotaOwner: string) => {
      const begun = await Promise.all(Array.from({ length: 12 }, () => begin(quotaOwner, 3)));
      assert.deepEqual(begun.sort(), [null, null, null, ...Array(9).fill('OWNER')].sort());
    };
    const used = async (owner: string | null = null) =>
      sumAll(await harness.store.readSpace(owner)).usedBytes;
    await Promise.all(['USER ada', 'USER bob'].map(beginMany));
    assert.deepEqual(await Promise.all([begin('USER carl', 8), begin('USER carl', 7)]), ['TOTAL', null]);
    assert.equal(await used(), 25);
    const claimed = await harness.store.claimStale(FOREVER, 100);
    assert.equal(await used(), 25, 'their files are not removed yet');
    for (const fileId of claimed) await harness.store.delete(fileId);
    assert.equal(await begin('USER ada', 3), null);
    await harness.reopen();
    assert.deepEqual([await used('USER ada'), await used()], [3, 3]);
    const charge = (quotaOwner: string, perOwnerBytes: number) =>
      harness.store.charge(fileIdOf(index), {
        ...{ quotaOwner, bytes: 3 },
        quota: { totalBytes: 3, perOwnerBytes },
      });
    assert.deepEqual([await charge('USER bob', 2), await used('USER bob')], ['OWNER', 0]);
    assert.deepEqual([await charge('USER bob', 3), await used('USER bob'), await used()], [null, 3, 3]);
    assert.deepEqual([await charge('USER ada', 10), await used('USER ada')], [null, 3]);
    // As a link, after a change of its code, replaced and erased.
    const owner = 'USER ada';
    const { store } = harness;
    assert.equal(await begin(owner, 7), null);
    const fileId = fileIdOf(index);
    await store.create(
      { ...downloadLink(codeOf(1), { fileId, sizeBytes: 6 }), owner, team: null },
      newChange(),
    );
    assert.equal(await used(owner), 9);
    await store.changeCode(
      codeOf(1),
      { shortCode: codeOf(2), versions: null },
      { revocation: newChange(), creation: newChange() },
    );
    assert.equal(await used(owner), 9);
    assert.equal(await begin(owner, 2), 'OWNER');
    assert.equal(await begin(owner, 1), null);
    const file = { ...storedFile(index), sizeBytes: 1 };
    const { result } = await store.change(codeOf(2), { patch: { file }, versions: null }, newChange());
    assert.equal(result, 'changed');
    assert.equal(await used(owner), 10, 'the replaced file is not removed yet');
    await store.delete(fileId);
    assert.equal(await used(owner), 4);
    await store.revoke(codeOf(2), newChange());
    await store.erasures.project('position');
    await store.erasures.erasePart('FILE', [codeOf(2)], START);
    assert.equal(await used(owner), 4, 'the erased file is not removed yet');
    await store.delete(file.fileId);
    assert.deepEqual([await used(owner), await used()], [3, 3]);
  });

  testStore('a link takes over an upload that replaces its file, which is swept', async (harness) => {
    const { store } = harness;
    const replace = (index: number, sizeBytes = 1) =>
      store.change(
        codeOf(1),
        { patch: { file: { ...storedFile(index), sizeBytes } }, versions: null },
        newChange({ at: START + index }),
      );
    await Promise.all([1, 2, 3].map((index) => store.begin(fileIdOf(index), START)));
    assert.equal(await link(store, 1), 'created');
    const [second, third, gone] = await Promise.all([replace(2), replace(3, 3), replace(4)]);
    assert.ok(second.result === 'changed' && third.result === 'changed');
    assert.deepEqual(third.changedTerms, ['fileName', 'fileSha256', 'sizeBytes']);
    assert.deepEqual(gone, { result: 'upload-gone' });
    await harness.reopen();
    const current = await harness.store.find(codeOf(1));
    assert.deepEqual(current?.target, { type: 'DOWNLOAD', file: { ...storedFile(3), sizeBytes: 3 } });
    assert.equal(current?.definitionVersion, 2);
    assert.deepEqual(
      await harness.store.claimStale(START + 1, 10),
      [],
      'they have a day from their replacement on',
    );
    assert.deepEqual(await harness.store.claimStale(FOREVER, 10), [fileIdOf(1), fileIdOf(2)]);
    assert.equal(await link(harness.store, 2), 'upload-gone');
  });

  testStore('a deleted upload gets no link and cannot be claimed', async ({ store }) => {
    assert.equal(await store.abandon(FILE), false, 'it never began');
    await store.begin(FILE, START);
    await store.delete(FILE);
    await store.delete(FILE);
    assert.equal(await store.abandon(FILE), false);
    assert.equal(await link(store, 1), 'upload-gone');
    assert.deepEqual(await store.claimStale(FOREVER, 10), []);
  });

  testStore('an upload is stale from the millisecond after its beginning', async ({ store }) => {
    for (const [index, at] of [START - 1, START, START + 1].entries()) await store.begin(fileIdOf(index), at);
    assert.deepEqual(await store.claimStale(START - 1, 10), []);
    assert.deepEqual(await store.claimStale(START, 10), [fileIdOf(0)]);
    assert.equal(await link(store, 1), 'created');
  });

  testStore('a claimed upload gets no link, and is claimed until it is deleted', async ({ store }) => {
    await store.begin(FILE, START);
    assert.deepEqual(await store.claimStale(START + 1, 10), [FILE]);
    assert.equal(await link(store, 1), 'upload-gone');
    assert.deepEqual(await store.claimStale(START + 1, 10), [FILE]);
    await store.delete(FILE);
    assert.deepEqual(await store.claimStale(START + 1, 10), []);
  });

  testStore('no more uploads are claimed than the limit, and the others stay usable', async ({ store }) => {
    const indexes = Array.from({ length: 9 }, (_, index) => index);
    await Promise.all(indexes.map((index) => store.begin(fileIdOf(index), START + index)));
    const claimed = await store.claimStale(FOREVER, 4);
    assert.equal(new Set(claimed).size, 4);
    const created = await Promise.all(indexes.map((index) => wasCreated(link(store, index))));
    assert.deepEqual(
      created,
      indexes.map((index) => !claimed.includes(fileIdOf(index))),
    );
  });

  testStore('uploads are claimed in pages, each after the last file of the one before', async ({ store }) => {
    const fileIds = Array.from({ length: 25 }, (_, index) => fileIdOf(index)).sort();
    await Promise.all(fileIds.map((fileId, index) => store.begin(fileId, START - index)));
    const claimed: string[] = [];
    for (let page: string[] | undefined; page?.length !== 0; claimed.push(...page)) {
      page = await store.claimStale(FOREVER, 10, claimed.at(-1) ?? '');
    }
    assert.deepEqual(claimed, fileIds);
  });

  const OWNER = 'USER ada';
  const NEW = { owner: OWNER, fileName: 'a.zip', sizeBytes: 9, files: null, metadata: 'filename YS56aXA=,x' };
  const lockOf = (token: string, now = START) => ({ fileId: FILE, token, now });
  const TRIES = Array.from({ length: 20 }, (_, index) => `${index}`);

  testStore('an upload is found as it began, by its owner alone', async (harness) => {
    const files = [
      { fileName: 'a/b.txt', sizeBytes: 4 },
      { fileName: 'a/c.txt', sizeBytes: 5 },
    ];
    await harness.store.begin(FILE, START, { ...NEW, files });
    await harness.reopen();
    const { store } = harness;
    const found = await store.lock(lockOf('a'), OWNER);
    const progress = { offsetBytes: 0, state: null, sha256: null, activeAt: START };
    const { files: _, ...facts } = NEW;
    assert.deepEqual(
      found,
      { fileId: FILE, ...facts, ...progress },
      'its lists are read when they are needed',
    );
    assert.deepEqual(await store.readUploadFiles(FILE), { files, parts: null });
    assert.equal(await store.lock(lockOf('b'), 'USER bob'), 'gone');
    await store.begin(fileIdOf(2), START);
    assert.equal(await store.lock({ ...lockOf('b'), fileId: fileIdOf(2) }, OWNER), 'gone');
  });

  testStore('one of many requests has the lock, until it ends or is not renewed', async ({ store }) => {
    await store.begin(FILE, START, NEW);
    const locked = await Promise.all(TRIES.map((token) => store.lock(lockOf(token), OWNER)));
    assert.equal(locked.filter((result) => typeof result === 'object').length, 1);
    const token = TRIES[locked.findIndex((result) => typeof result === 'object')] ?? '';
    const later = START + UPLOAD_LOCK_MS;
    assert.equal(await store.renewLock(lockOf(token)), false, 'another request waits for it');
    assert.equal(await store.lock(lockOf('new', later - 1), OWNER), 'locked');
    assert.equal(typeof (await store.lock(lockOf('new', later), OWNER)), 'object');
    assert.equal(await store.renewLock(lockOf(token, later)), false);
    assert.equal(await store.renewLock(lockOf('new', later)), true);
    await store.unlock(lockOf(token));
    assert.equal(await store.lock(lockOf('next', later), OWNER), 'locked');
    await store.unlock(lockOf('new'));
    assert.equal(typeof (await store.lock(lockOf('next', START - 3_600_000), OWNER)), 'object');
  });

  testStore('a lock of a clock that was ahead is no obstacle', async ({ store }) => {
    await store.begin(FILE, START, NEW);
    await store.lock(lockOf('ahead', START + 3_600_000), OWNER);
    assert.equal(typeof (await store.lock(lockOf('b'), OWNER)), 'object');
  });

  testStore('bytes are committed once for each offset, and none to a complete file', async ({ store }) => {
    await store.begin(FILE, START, NEW);
    await store.lock(lockOf('a'), OWNER);
    const add = (token: string, fromBytes: number, more = {}) =>
      store.saveUpload({
        ...{
          ...lockOf(token, START + 5),
          fromBytes,
          offsetBytes: fromBytes + 4,
          state: 's',
          digest: null,
          unlocks: false,
        },
        ...more,
      });
    assert.equal(await add('other', 0), false);
    assert.deepEqual((await Promise.all(TRIES.map(() => add('a', 0)))).filter(Boolean).length, 1);
    assert.equal(await add('a', 0), false);
    const digest = { sha256: hash('sha256', 'x'), parts: [{ ...NEW, sha256: 'y', crc32: 7 }] };
    const parts = [{ fileName: NEW.fileName, sizeBytes: NEW.sizeBytes, sha256: 'y', crc32: 7 }];
    assert.equal(await add('a', 4, { offsetBytes: 6, unlocks: true }), true);
    assert.equal(await add('a', 6, { offsetBytes: 9 }), false, 'the lock has ended');
    await store.lock(lockOf('a'), OWNER);
    assert.equal(await add('a', 6, { offsetBytes: 9 }), true);
    assert.equal(await store.lock(lockOf('b'), OWNER), 'locked');
    const isRenewed = await store.renewLock(lockOf('a'));
    assert.equal(isRenewed, true, 'its completion goes on for the request that waits');
    assert.equal(await add('a', 9, { offsetBytes: 9, digest }), true);
    assert.equal(await add('a', 9, { offsetBytes: 9 }), false, 'it is complete');
    await store.unlock(lockOf('a'));
    const activeAt = START + UPLOAD_LOCK_MS;
    const found = await store.lock(lockOf('b', activeAt), OWNER);
    const { sha256 } = digest;
    assert.partialDeepStrictEqual(found, { offsetBytes: 9, state: 's', activeAt: START + 5, sha256 });
    assert.deepEqual(await store.readUploadFiles(FILE), { files: null, parts });
    assert.deepEqual(await store.claimStale(START + UPLOAD_LOCK_MS, 10), [], 'it is locked');
    assert.equal(await link(store, 1), 'created');
    assert.equal(await store.lock(lockOf('c'), OWNER), 'gone');
  });

  testStore('only bytes make an upload younger, and a lock keeps it', async ({ store }) => {
    await store.begin(FILE, START, NEW);
    const add = async (now: number, fromBytes: number, offsetBytes: number) => {
      await store.lock(lockOf('a', now), OWNER);
      const added = { fromBytes, offsetBytes, state: null, digest: null, unlocks: true };
      assert.equal(await store.saveUpload({ ...lockOf('a', now), ...added }), true);
    };
    await add(START + 1, 0, 4);
    await add(START + 2, 4, 4);
    await store.lock(lockOf('b', START + 3), OWNER);
    assert.deepEqual(await store.claimStale(START + 3, 10), [], 'a request has its lock');
    await store.unlock(lockOf('b'));
    assert.deepEqual(await store.claimStale(START + 1, 10), []);
    assert.deepEqual(await store.claimStale(START + 2, 10), [FILE]);
  });

  testStore('the uploads of an owner are counted, and the longest idle withdrawn', async ({ store }) => {
    const begin = (index: number, owner = OWNER) =>
      store.begin(fileIdOf(index), START + index, { ...NEW, owner });
    const add = async (index: number, offsetBytes: number) => {
      const lock = { ...lockOf('a'), fileId: fileIdOf(index), now: START + index };
      await store.lock(lock, OWNER);
      const added = { fromBytes: 0, offsetBytes, state: null, digest: null, unlocks: true };
      assert.equal(await store.saveUpload({ ...lock, ...added }), true);
    };
    assert.equal(await store.sumOthers(FILE, OWNER), 0);
    await Promise.all([
      ...[0, 1, 2, 3].map((index) => begin(index)),
      begin(4, 'USER bob'),
      store.begin(fileIdOf(5), START),
    ]);
    assert.equal(await store.sumOthers(FILE, OWNER), 0, 'no byte has arrived');
    for (const [index, bytes] of [1, 2, 4].entries()) await add(index, bytes);
    assert.equal(await store.sumOthers(fileIdOf(0), OWNER), 2 + 4);
    assert.equal(await store.sumOthers(fileIdOf(4), OWNER), 1 + 2 + 4);
    assert.deepEqual((await store.readOwners('USER ')).sort(), [OWNER, 'USER bob']);
    assert.deepEqual(await store.readOwners('REQUEST '), []);
    await store.lock({ ...lockOf('a', START + 9), fileId: fileIdOf(0) }, OWNER);
    assert.equal(await store.withdraw(OWNER, START + 3, 1), 1);
    assert.equal(await store.sumOthers(fileIdOf(0), OWNER), 4);
    assert.deepEqual(await store.claimStale(START, 10), [fileIdOf(1)], 'the first one has a lock');
    assert.equal(await link(store, 1), 'upload-gone');
    assert.equal(await store.withdraw(OWNER, START + 3, 9), 1, 'the last one is not idle');
    assert.equal(await store.withdraw(OWNER, FOREVER, FOREVER), 2);
    assert.deepEqual(await store.readOwners('USER '), ['USER bob']);
    assert.equal(await link(store, 4), 'created');
  });

  testStore('an abandoned upload can be neither locked nor extended', async ({ store }) => {
    await store.begin(FILE, START, NEW);
    await store.lock(lockOf('a'), OWNER);
    for (const token of [undefined, 'b'])
      assert.equal(await store.abandon(FILE, token), false, 'not its lock');
    assert.equal(await store.abandon(FILE, 'a'), true);
    const added = { fromBytes: 0, offsetBytes: 4, state: null, digest: null, unlocks: false };
    assert.equal(await store.saveUpload({ ...lockOf('a'), ...added }), false);
    assert.equal(await store.renewLock(lockOf('a')), false);
    assert.equal(await store.lock(lockOf('b'), OWNER), 'gone');
  });

  const RACES = 40;
  const raced = Array.from({ length: RACES }, (_, index) => index);

  testStore('either the link or the abandonment of its upload wins each race', async ({ store }) => {
    await Promise.all(raced.map((index) => store.begin(fileIdOf(index), START)));
    const outcomes = await Promise.all(
      raced.map((index) => {
        // Every other upload is abandoned before its link is created.
        if (index % 2 === 0)
          return Promise.all([wasCreated(link(store, index)), store.abandon(fileIdOf(index))]);
        const abandoned = store.abandon(fileIdOf(index));
        return Promise.all([wasCreated(link(store, index)), abandoned]);
      }),
    );
    for (const [isCreated, isAbandoned] of outcomes) assert.notEqual(isCreated, isAbandoned);
    const found = await Promise.all(raced.map((index) => store.find(codeOf(index))));
    assert.deepEqual(
      found.map((definition) => definition !== undefined),
      outcomes.map(([isCreated]) => isCreated),
    );
  });

  testStore('either a link or a sweep gets each upload', async ({ store }) => {
    await Promise.all(raced.map((index) => store.begin(fileIdOf(index), START)));
    const first = raced.slice(0, RACES / 2).map((index) => wasCreated(link(store, index)));
    const sweep = store.claimStale(START + 1, RACES);
    const second = raced.slice(RACES / 2).map((index) => wasCreated(link(store, index)));
    const claimed = await sweep;
    const created = await Promise.all([...first, ...second]);
    assert.deepEqual(
      created,
      raced.map((index) => !claimed.includes(fileIdOf(index))),
    );
    assert.equal((await store.statistics.linkCounts()).ACTIVE, created.filter(Boolean).length);
  });

  testStore('concurrent sweeps claim no upload of a link', async ({ store }) => {
    await Promise.all(raced.map((index) => store.begin(fileIdOf(index), START)));
    await Promise.all(raced.slice(0, 10).map((index) => link(store, index)));
    const sweeps = await Promise.all(Array.from({ length: 4 }, () => store.claimStale(START + 1, RACES)));
    assert.deepEqual(new Set(sweeps.flat()), new Set(raced.slice(10).map((index) => fileIdOf(index))));
  });
}
