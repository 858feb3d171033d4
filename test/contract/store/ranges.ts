import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Purpose } from '../../../src/core/model/attempt.ts';
import type { TimeRange } from '../../../src/core/model/ranges.ts';
import { attemptOn, codeOf } from '../../support/attempts.ts';
import { anyCount, storeRuns } from '../../support/histories.ts';
import { recount, WHOLE } from '../../support/recount.ts';
import type { OpenStore, StoreHarness, TestStore } from '../store-harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
/** Here begins a day. */
const MIDNIGHT = Date.parse('2026-06-12T00:00:00Z');

type AnyAttempt = { at: number; ipAddress: string | null; purpose: Purpose; count: number };
/** Generates times at, right before and right after the ends of periods, and within hours. */
const anyTime = fc
  .tuple(
    fc.integer({ min: -1, max: 17 }),
    fc.constantFrom(0, 1, 12, 23),
    fc.constantFrom(
      -1,
      0,
      1,
      10 * MINUTE_MS - 1,
      10 * MINUTE_MS,
      25 * MINUTE_MS,
      HOUR_MS / 2,
      55 * MINUTE_MS,
    ),
  )
  .map(([day, hour, distance]) => MIDNIGHT + day * DAY_MS + hour * HOUR_MS + distance);
const anyAttempt: fc.Arbitrary<AnyAttempt> = fc.record({
  at: anyTime,
  // So many that most appear in few hours.
  ipAddress: fc.option(fc.nat(40).map((number) => `192.0.2.${number}`)),
  purpose: fc.constantFrom('OPEN', 'OPEN', 'OPEN', 'PREVIEW'),
  count: anyCount,
});
const anyBound = fc.option(
  fc.oneof({ weight: 6, arbitrary: anyTime }, fc.constantFrom(0, -1, -DAY_MS, -9 * DAY_MS)),
  {
    freq: 8,
  },
);
const anyLongRange = fc.tuple(anyBound, anyBound).map(([one, other]) => ({ start: one, end: other }));
const anyShortRange = fc
  .tuple(anyTime, fc.constantFrom(0, 2, 20 * MINUTE_MS, HOUR_MS / 2, HOUR_MS, 25 * HOUR_MS))
  .map(([start, length]) => ({ start, end: start + length }));
const anyRange: fc.Arbitrary<TimeRange> = fc
  .oneof(anyLongRange, anyShortRange)
  .map(({ start, end }) =>
    start !== null && end !== null && start > end ? { start: end, end: start } : { start, end },
  );

/** Tests that the statistics of a range of time are exact. */
export function rangeContract(testStore: TestStore, openStore: OpenStore): void {
  const attempt = ({ store }: StoreHarness, at: number, ipAddress: string | null = '192.0.2.1') =>
    store.attempt(attemptOn(codeOf(1), { at, ipAddress, prechecks: 'LINK_NOT_FOUND' }));

  testStore('totals and addresses describe one moment, also during commits', async (harness) => {
    const { store } = harness;
    const range = { start: MIDNIGHT + 1, end: MIDNIGHT + 3 * DAY_MS };
    // Each attempt has an address of its own, so at every moment there are as many addresses as attempts.
    const attempts = Array.from({ length: 1_500 }, (_, index) => ({
      at: MIDNIGHT + 1 + (index % 48) * HOUR_MS,
      ipAddress: `10.0.${index >> 8}.${index & 255}`,
    }));
    let isOver = false;
    const committed = (async () => {
      for (let first = 0; first < attempts.length; first += 50)
        await Promise.all(
          attempts.slice(first, first + 50).map(({ at, ipAddress }) => attempt(harness, at, ipAddress)),
        );
      isOver = true;
    })();
    while (!isOver) {
      for (const each of [WHOLE, range]) {
        const { countsByResult, uniqueOrigins } = await store.statistics.accessTotals(each);
        assert.equal(countsByResult.NOT_FOUND ?? 0, uniqueOrigins);
      }
    }
    await committed;
    assert.equal((await store.statistics.accessTotals(range)).uniqueOrigins, attempts.length);
  });

  test('each statistic of any range equals a recount of the audit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyAttempt, { maxLength: 50 }), { minLength: 1, maxLength: 3 }),
        fc.array(anyRange, { minLength: 8, maxLength: 8 }),
        async (batches, ranges) => {
          await using harness = await openStore();
          for (const attempts of batches) {
            const prechecks = 'RATE_LIMITED';
            await Promise.all(
              attempts.map((each) => harness.store.attempt(attemptOn(codeOf(1), { ...each, prechecks }))),
            );
            await assertExact(harness, ranges);
          }
        },
      ),
      storeRuns(3),
    );
  });
}

async function assertExact({ store, readAudit }: StoreHarness, ranges: readonly TimeRange[]): Promise<void> {
  const audit = await readAudit();
  for (const range of ranges) {
    const { totals, hourly, daily } = recount(audit, range);
    assert.deepEqual(await store.statistics.accessTotals(range), totals);
    const { countsByResult } = totals;
    assert.deepEqual(await store.statistics.resultCounts(range), { countsByResult });
    assert.deepEqual(await store.statistics.hourly(range), hourly);
    assert.deepEqual(await store.statistics.daily(range), daily);
  }
}
