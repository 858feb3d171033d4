import assert from 'node:assert/strict';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  PASSES,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { WHOLE } from '../../support/recount.ts';
import type { StoreHarness, TestStore } from '../store-harness.ts';

/** Tests that everything committed survives closing and reopening the store. */
export function durabilityContract(testStore: TestStore): void {
  testStore('a restart keeps everything that was committed, and nothing else', async (harness) => {
    await fill(harness.store);
    const before = await readEverything(harness);
    await harness.reopen();
    assert.deepEqual(await readEverything(harness), before);
  });

  testStore('a limit continues after a restart', async (harness) => {
    await harness.store.create(redirectLink(codeOf(1), { maxViews: 3 }), newChange());
    const outcomes: unknown[] = [];
    for (let time = 0; time < 5; time++) {
      outcomes.push(await harness.store.attempt(attemptOn(codeOf(1))));
      await harness.reopen();
    }
    assert.deepEqual(outcomes, [
      { verdict: 'SUCCESS', viewCount: 1 },
      { verdict: 'SUCCESS', viewCount: 2 },
      { verdict: 'SUCCESS', viewCount: 3 },
      { verdict: 'VIEW_LIMIT_REACHED', viewCount: 3 },
      { verdict: 'VIEW_LIMIT_REACHED', viewCount: 3 },
    ]);
    assert.equal((await harness.readAudit()).length, 5);
  });

  testStore('the state of an upload, in any of its steps, survives a restart', async (harness) => {
    const [begun, stale, abandoned] = [fileIdOf(1), fileIdOf(2), fileIdOf(3)];
    const [linked, deleted] = [fileIdOf(4), fileIdOf(5)];
    for (const fileId of [begun, abandoned, linked, deleted]) await harness.store.begin(fileId, START + 1);
    await harness.store.begin(stale, START);
    await harness.store.claimStale(START + 1, 10);
    await harness.store.abandon(abandoned);
    await harness.store.create(downloadLink(codeOf(4), { fileId: linked }), newChange());
    await harness.store.delete(deleted);
    await harness.reopen();
    const { store } = harness;
    for (const fileId of [stale, abandoned, linked, deleted]) {
      assert.equal(await store.create(downloadLink(codeOf(9), { fileId }), newChange()), 'upload-gone');
    }
    assert.equal(await store.create(downloadLink(codeOf(1), { fileId: begun }), newChange()), 'created');
    const claimed = await store.claimStale(Number.MAX_SAFE_INTEGER, 10);
    assert.deepEqual(new Set(claimed), new Set([stale, abandoned]));
  });
}

/** Does a little of everything that can happen to a store. */
async function fill(store: Store): Promise<void> {
  for (let index = 0; index < 6; index++) {
    await store.create(
      redirectLink(codeOf(index), { maxViews: index + 1, expiresAt: START + index }),
      newChange(),
    );
  }
  await store.begin(fileIdOf(7), START);
  await store.create(
    downloadLink(codeOf(7), { fileId: fileIdOf(7), fileName: 'Übersicht 😀.pdf' }),
    newChange(),
  );
  for (const [time, index] of [3, 3, 3, 5, 7, 7, 9, 1, 1, 1].entries()) {
    await store.attempt(attemptOn(codeOf(index), { at: START + time, ipAddress: `192.0.2.${time % 3}` }));
  }
  await store.attempt(attemptOn(codeOf(5), { prechecks: { ...PASSES, password: 'WRONG' } }));
  await store.attempt(attemptOn(codeOf(5), { purpose: 'PREVIEW' }));
  await store.revoke(codeOf(2), newChange());
  await store.expireDue(START + 2, 10);
}

/** Reads everything that a store returns. */
async function readEverything({ store, readAudit }: StoreHarness): Promise<unknown> {
  const { statistics } = store;
  return {
    links: await Promise.all(Array.from({ length: 10 }, (_, index) => store.find(codeOf(index)))),
    audit: (await readAudit()).sort((a, b) => (a.id < b.id ? -1 : 1)),
    totals: await statistics.accessTotals(WHOLE),
    hourly: await statistics.hourly(WHOLE),
    daily: await statistics.daily(WHOLE),
    byHour: await statistics.overTime('hour', WHOLE),
    byDay: await statistics.overTime('day', WHOLE),
    linkCounts: await statistics.linkCounts(),
    topLinks: await statistics.topLinks(1000),
    securityExceptions: await statistics.securityExceptions(1000),
    probe: await store.probe(),
  };
}
