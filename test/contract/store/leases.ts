import assert from 'node:assert/strict';
import type { ResumeRequest } from '../../../src/core/model/decide-resume.ts';
import type { NewLease } from '../../../src/core/model/lease.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  downloadOf,
  fileIdOf,
  newChange,
  START,
} from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import { historyOf } from '../../support/queries.ts';
import type { TestStore } from '../store-harness.ts';

const CODE = codeOf(1);
const FILE = fileIdOf(1);
const SIZE = 10;
const LEASE: NewLease = { hash: 'hash', fileId: FILE, endsAt: START + 1_000, restBytes: 2 * SIZE };

const resume = (store: Store, wanted: Partial<ResumeRequest> = {}) =>
  store.resume({
    ...{ hash: LEASE.hash, shortCode: CODE, fileId: FILE, version: 0, chargedBytes: SIZE, at: START },
    ...wanted,
  });

/** Creates a link to a file, and returns a granted attempt on it with the lease. */
async function grant(store: Store, maxViews: number | null = 1) {
  await store.begin(FILE, START);
  await store.create({ ...downloadLink(CODE, { fileId: FILE, sizeBytes: SIZE }), maxViews }, newChange());
  const attempt = attemptOn(CODE, { lease: LEASE });
  assert.equal((await store.attempt(attempt)).verdict, 'SUCCESS');
  return attempt;
}

/** Tests that a granted download can be continued under its view, and about how much of it. */
export function leaseContract(testStore: TestStore): void {
  testStore('a lease continues the download of its attempt after a restart', async (harness) => {
    const { id: attemptId } = await grant(harness.store);
    await harness.reopen();
    assert.deepEqual(await resume(harness.store), { verdict: 'GRANTED', attemptId });
    assert.equal((await harness.store.read(CODE))?.viewCount, 1);
  });

  testStore('a denied attempt begins no lease', async ({ store }) => {
    await grant(store);
    const denied = attemptOn(CODE, { lease: { ...LEASE, hash: 'other' } });
    assert.equal((await store.attempt(denied)).verdict, 'VIEW_LIMIT_REACHED');
    assert.deepEqual(await resume(store, { hash: 'other' }), { verdict: 'LEASE_NOT_FOUND' });
  });

  testStore('a lease ends with its time, its link or its file', async ({ store }) => {
    await grant(store);
    const { endsAt } = LEASE;
    assert.equal((await resume(store, { at: endsAt - 1, chargedBytes: 1 })).verdict, 'GRANTED');
    const denied: [Partial<ResumeRequest>, string][] = [
      [{ at: endsAt }, 'LEASE_ENDED'],
      [{ fileId: fileIdOf(2) }, 'LEASE_ENDED'],
      [{ version: 1 }, 'CHANGED'],
      [{ shortCode: codeOf(2) }, 'LEASE_NOT_FOUND'],
      [{ shortCode: 'nul\0' }, 'LEASE_NOT_FOUND'],
      [{ chargedBytes: 2 * SIZE }, 'LEASE_USED_UP'],
    ];
    for (const [wanted, verdict] of denied) assert.deepEqual(await resume(store, wanted), { verdict });
    await store.revoke(CODE, newChange());
    assert.deepEqual(await resume(store), { verdict: 'REVOKED' });
  });

  testStore('each of 1,000 leases that are continued at once gets exactly its bytes', async ({ store }) => {
    await grant(store, 1_000);
    const hashes = Array.from({ length: 1_000 }, (_, index) => `hash ${index}`);
    const attempts = hashes.map((hash) => store.attempt(attemptOn(CODE, { lease: { ...LEASE, hash } })));
    const views = (await Promise.all(attempts)).filter(({ verdict }) => verdict === 'SUCCESS').length;
    assert.equal(views, 999, 'the lease of `grant` has the first view');
    const verdictsOf = async (hash: string) => {
      const results = await Promise.all(
        Array.from({ length: 4 }, () => resume(store, { hash, chargedBytes: 7 })),
      );
      return results.map(({ verdict }) => verdict).sort();
    };
    const verdicts = await Promise.all(hashes.map(verdictsOf));
    const exact = ['GRANTED', 'GRANTED', 'LEASE_USED_UP', 'LEASE_USED_UP'].join();
    assert.equal(verdicts.filter((each) => each.join() === exact).length, 999);
    assert.equal((await store.read(CODE))?.viewCount, 1_000);
  });

  testStore('bytes that were not sent can be sent again', async ({ store }) => {
    const attempt = await grant(store);
    for (let tries = 0; tries < 10; tries++) {
      assert.equal((await resume(store, { chargedBytes: 2 * SIZE })).verdict, 'GRANTED');
      assert.equal((await resume(store, { chargedBytes: 1 })).verdict, 'LEASE_USED_UP');
      const end = downloadOf(attempt, { bytesSent: 0, isSentCompletely: false, unsentBytes: 2 * SIZE });
      assert.equal(await store.recordDownload(end), 'recorded');
    }
  });

  testStore('the parts of a download belong to their attempt, in their order', async ({ store }) => {
    const attempt = await grant(store);
    const parts = [
      downloadOf(attempt, { bytesSent: 4, isSentCompletely: false }),
      downloadOf(attempt, { firstByte: 4, bytesSent: 6 }),
    ];
    for (const part of parts) await store.recordDownload(part);
    const ends = (await historyOf(store, CODE)).flatMap((item) =>
      item.kind === 'ATTEMPT' ? item.downloads : [],
    );
    assert.deepEqual(
      ends.map(({ number, firstByte, bytesSent, isSentCompletely }) => [
        ...[number, firstByte, bytesSent, isSentCompletely],
      ]),
      [
        [3, 0, 4, false],
        [4, 4, 6, true],
      ],
    );
  });

  testStore('ended leases are deleted, a bounded number at a time', async ({ store }) => {
    await grant(store, null);
    await store.attempt(attemptOn(CODE, { lease: { ...LEASE, hash: 'second' } }));
    await store.attempt(attemptOn(CODE, { lease: { ...LEASE, hash: 'later', endsAt: LEASE.endsAt + 1 } }));
    const now = LEASE.endsAt + 1;
    assert.equal(await store.deleteEndedLeases(LEASE.endsAt, 10), 0);
    assert.deepEqual([await store.deleteEndedLeases(now, 1), await store.deleteEndedLeases(now, 10)], [1, 1]);
    const verdicts = [await resume(store), await resume(store, { hash: 'later' })];
    assert.deepEqual(pluck(verdicts, 'verdict'), ['LEASE_NOT_FOUND', 'GRANTED']);
  });
}
