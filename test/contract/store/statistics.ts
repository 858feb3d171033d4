import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AuditRecord } from '../../../src/core/model/attempt.ts';
import type { PeriodUnit, TimeRange } from '../../../src/core/model/ranges.ts';
import type { SentLinks } from '../../../src/core/model/statistics.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  newChange,
  PASSES,
  redirectLink,
  requestLink,
  START,
} from '../../support/attempts.ts';
import { type Action, anyHistory, anyLimits, pause, storeRuns } from '../../support/histories.ts';
import { rank, recount, WHOLE, WRONG_PASSWORDS } from '../../support/recount.ts';
import type { OpenStore, TestStore } from '../store-harness.ts';

const LINKS = 4;
const MIDNIGHT = Date.parse('2026-06-16T00:00:00Z');
const ADDRESSES = [null, '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2', '198.51.100.7'];

/** Tests the aggregates of the audit: each equals a count of its records. */
export function statisticsContract(testStore: TestStore, openStore: OpenStore): void {
  testStore('statistics of no attempts are empty', async ({ store }) => {
    const { statistics } = store;
    for (const range of [WHOLE, { start: START, end: null }, { start: START, end: START }]) {
      assert.deepEqual(await statistics.accessTotals(range), { countsByResult: {}, uniqueOrigins: 0 });
      assert.deepEqual(await statistics.hourly(range), []);
      assert.deepEqual(await statistics.daily(range), []);
      assert.deepEqual(await statistics.overTime('hour', range), []);
      assert.deepEqual(await statistics.overTime('day', range), []);
    }
    assert.deepEqual(await statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 0, REVOKED: 0 });
    assert.deepEqual(await statistics.sentLinks(WHOLE, START, null), sent({}));
    assert.deepEqual(await statistics.topLinks(1000), []);
    assert.deepEqual(await statistics.securityExceptions(1000), []);
  });

  testStore('each hour or day that begins within a range is counted whole', async ({ store }) => {
    const hour = 3_600_000;
    await store.create(redirectLink(codeOf(1)), newChange());
    for (const at of [
      MIDNIGHT - 1,
      MIDNIGHT,
      MIDNIGHT + hour - 1,
      MIDNIGHT + hour,
      MIDNIGHT + 400 * 24 * hour,
    ]) {
      await store.attempt(attemptOn(codeOf(1), { at }));
      await store.attempt(attemptOn(codeOf(2), { at, prechecks: 'LINK_NOT_FOUND' }));
    }
    const overTime = async (unit: PeriodUnit, start: number | null, end: number | null) =>
      (await store.statistics.overTime(unit, { start, end })).map(({ startsAt, total, success }) => [
        (startsAt - MIDNIGHT) / hour,
        total,
        success,
      ]);
    const hours = [
      [-1, 2, 1],
      [0, 4, 2],
      [1, 2, 1],
      [9600, 2, 1],
    ];
    assert.deepEqual(await overTime('hour', null, null), hours);
    assert.deepEqual(await overTime('hour', MIDNIGHT, null), hours.slice(1));
    assert.deepEqual(await overTime('hour', MIDNIGHT + 1, null), hours.slice(2));
    assert.deepEqual(await overTime('hour', null, MIDNIGHT + 1), hours.slice(0, 2));
    assert.deepEqual(await overTime('hour', MIDNIGHT, MIDNIGHT), []);
    const days = [
      [-24, 2, 1],
      [0, 6, 3],
      [9600, 2, 1],
    ];
    assert.deepEqual(await overTime('day', null, null), days);
    assert.deepEqual(await overTime('day', MIDNIGHT - 1, MIDNIGHT + 1), [days[1]]);
  });

  testStore(
    'links are counted by their creation, and by whether they were opened since',
    async ({ store }) => {
      const minute = 60_000;
      const links = [{}, { expiresAt: START + minute }, {}, { expiresAt: START + minute }, {}];
      for (const [index, members] of links.entries()) {
        const owner = index === 4 ? 'USER ada' : 'USER bob';
        const link = redirectLink(codeOf(index), members);
        await store.create({ ...link, owner, createdAt: START + index }, newChange());
      }
      const received = { ...redirectLink(codeOf(5)), createdAt: START, requestCode: codeOf(0) };
      await store.create(received, newChange());
      await store.attempt(attemptOn(codeOf(0)));
      await store.attempt(attemptOn(codeOf(1)));
      await store.attempt(attemptOn(codeOf(4), { prechecks: { ...PASSES, password: 'WRONG' } }));
      await store.revoke(codeOf(2), newChange());
      const count = (range: TimeRange, now: number, owner: string | null = null) =>
        store.statistics.sentLinks(range, now, owner);
      const all = { total: 5, opened: 2, received: 1 };
      assert.deepEqual(await count(WHOLE, START), sent({ ...all, unopened: 2, endedUnopened: 1 }));
      assert.deepEqual(
        await count(WHOLE, START + 2 * minute),
        sent({ ...all, unopened: 1, endedUnopened: 2 }),
      );
      assert.deepEqual(await count(WHOLE, START, 'USER ada'), sent({ total: 1, unopened: 1 }));
      const some = { start: START + 1, end: START + 3 };
      assert.deepEqual(await count(some, START), sent({ total: 2, opened: 1, endedUnopened: 1 }));
    },
  );

  testStore(
    'links sent are counted with their file requests, which have numbers of their own',
    async ({ store }) => {
      await store.create(redirectLink(codeOf(0)), newChange());
      for (const index of [1, 2, 3]) await store.create(requestLink(codeOf(index)), newChange());
      await store.attempt(attemptOn(codeOf(1)));
      await store.revoke(codeOf(2), newChange());
      const requests = { total: 3, opened: 1, endedUnopened: 1 };
      assert.deepEqual(
        await store.statistics.sentLinks(WHOLE, START, null),
        sent({ total: 4, opened: 1, unopened: 2, endedUnopened: 1, requests }),
      );
    },
  );

  testStore('previews are counted only by result and wrong password, not as origins', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    await store.attempt(attemptOn(codeOf(1), { purpose: 'PREVIEW' }));
    await store.attempt(
      attemptOn(codeOf(1), { purpose: 'PREVIEW', prechecks: { ...PASSES, password: 'WRONG' } }),
    );
    await store.attempt(attemptOn(codeOf(2), { purpose: 'PREVIEW', prechecks: 'LINK_NOT_FOUND' }));
    for (const range of [WHOLE, { start: START, end: null }]) {
      assert.deepEqual(await store.statistics.accessTotals(range), {
        countsByResult: { PREVIEW: 2, PREVIEW_INVALID_PASSWORD: 1 },
        uniqueOrigins: 0,
      });
      assert.deepEqual(await store.statistics.hourly(range), []);
      assert.deepEqual(await store.statistics.daily(range), []);
      assert.deepEqual(await store.statistics.overTime('hour', range), []);
    }
    assert.deepEqual(await store.statistics.topLinks(10), []);
    assert.deepEqual(await store.statistics.securityExceptions(10), [{ shortCode: codeOf(1), count: 1 }]);
  });

  test('after any history, each statistic equals a recount of the audit, also in any range', async () => {
    const anyWorld = fc.tuple(
      fc.array(anyLimits, { minLength: LINKS, maxLength: LINKS }),
      anyHistory(LINKS, 120),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: -1, max: 1 })), {
        minLength: 4,
        maxLength: 4,
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyWorld, async ([limits, history, choices]) => {
        await using harness = await openStore();
        const { store } = harness;
        await Promise.all(
          limits.map((limit, index) => store.create(redirectLink(codeOf(index), limit), newChange())),
        );
        await makeHappen(store, history);
        const audit = await harness.readAudit();
        for (const range of [WHOLE, ...choices.map((choice) => rangeOf(audit, choice))]) {
          const { totals, hourly, daily, byHour, byDay } = recount(audit, range);
          assert.deepEqual(await store.statistics.accessTotals(range), totals);
          assert.deepEqual(await store.statistics.hourly(range), hourly);
          assert.deepEqual(await store.statistics.daily(range), daily);
          if (range !== WHOLE) continue; // each hour and day is whole, unlike a range
          assert.deepEqual(await store.statistics.overTime('hour', range), byHour);
          assert.deepEqual(await store.statistics.overTime('day', range), byDay);
        }
        for (const limit of [1, 2, 1000]) {
          const exceptions = await store.statistics.securityExceptions(limit);
          assert.deepEqual(await store.statistics.topLinks(limit), rank(audit, ['SUCCESS'], limit));
          assert.deepEqual(exceptions, rank(audit, WRONG_PASSWORDS, limit));
        }
      }),
      storeRuns(5),
    );
  });
}

/** Returns counts of links with these. */
function sent(counts: Partial<SentLinks>): SentLinks {
  const requests = { total: 0, opened: 0, endedUnopened: 0 };
  return {
    ...{ total: 0, opened: 0, unopened: 0, endedUnopened: 0, received: 0, requests, isTruncated: false },
    ...counts,
  };
}

/** Applies a history to a store, everything between two moves of the clock in parallel. */
async function makeHappen(store: Store, history: readonly Action[]): Promise<void> {
  let now = START;
  let underWay: Promise<unknown>[] = [];
  for (const action of history) {
    if (action.kind === 'move clock') {
      await Promise.all(underWay);
      underWay = [];
      now += action.ms;
    } else if (action.kind === 'expire') {
      underWay.push(store.expireDue(now, 100));
    } else if (action.kind === 'revoke') {
      underWay.push(store.revoke(codeOf(action.link), newChange()));
    } else if (action.kind === 'pause') {
      underWay.push(pause(store, action));
    } else {
      const { purpose, prechecks, origin } = action;
      const ipAddress = ADDRESSES[origin] ?? null;
      const count = prechecks === 'RATE_LIMITED' ? action.count : 1;
      underWay.push(
        store.attempt(attemptOn(codeOf(action.link), { at: now, purpose, prechecks, ipAddress, count })),
      );
    }
  }
  await Promise.all(underWay);
}

/** Generates a range whose bounds are at, right before or right after records, or open. */
function rangeOf(audit: readonly AuditRecord[], [one, other, distance]: [number, number, number]): TimeRange {
  const at = (choice: number): number | null => {
    const accessedAt = audit[choice % (audit.length + 1)]?.accessedAt;
    return accessedAt === undefined ? null : accessedAt + distance;
  };
  const [start, end] = [at(one), at(other)];
  return start !== null && end !== null && start > end ? { start: end, end: start } : { start, end };
}
