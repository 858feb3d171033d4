import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type Attempt,
  type AttemptOutcome,
  type AuditRecord,
  toAuditResult,
} from '../../src/links/attempt.ts';
import { decide } from '../../src/links/decide-attempt.ts';
import { LINK_STATUSES, type LinkState, type LinkStatus } from '../../src/links/link.ts';
import { applyAttempts } from '../../src/stores/apply-attempts.ts';
import { attemptOn, codeOf, PASSES, START } from '../support/attempts.ts';
import { anyLimits, anyPrechecks, anyPurpose } from '../support/histories.ts';
import { rank, recount } from '../support/recount.ts';

const LINKS = 4;
const HOUR_MS = 3_600_000;
const ACTIVE: LinkState = { status: 'ACTIVE', viewCount: 0, maxViews: null, expiresAt: null };

const anyLinks: fc.Arbitrary<Map<string, LinkState>> = fc
  .array(
    fc.tuple(anyLimits, fc.constantFrom<LinkStatus[]>('ACTIVE', 'ACTIVE', ...LINK_STATUSES), fc.nat(2)),
    {
      minLength: LINKS,
      maxLength: LINKS,
    },
  )
  .map((states) => {
    return new Map(
      states.map(([limits, status, viewCount], index) => [
        codeOf(index),
        { ...limits, status, viewCount: Math.min(viewCount, limits.maxViews ?? viewCount) },
      ]),
    );
  });

/** Generates attempts on the links and on a missing one, over two days, unordered in time. */
const anyAttempts: fc.Arbitrary<Attempt[]> = fc.array(
  fc
    .record({
      link: fc.integer({ min: 0, max: LINKS }),
      ms: fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 48 * HOUR_MS })),
      purpose: anyPurpose,
      prechecks: anyPrechecks,
      ipAddress: fc.constantFrom(null, '192.0.2.1', '192.0.2.2', '2001:db8::1'),
    })
    .map(({ link, ms, ...known }) => attemptOn(codeOf(link), { at: START + ms, ...known })),
  { maxLength: 40, size: 'max' },
);

/** Decides attempts one after the other, each on the state that the one before left: the expected result. */
function oneByOne(links: ReadonlyMap<string, LinkState>, attempts: readonly Attempt[]) {
  const after = new Map(links);
  const outcomes: AttemptOutcome[] = [];
  const records: AuditRecord[] = [];
  for (const attempt of attempts) {
    const { verdict, link } = decide(after.get(attempt.shortCode), attempt, attempt.at);
    if (link) after.set(attempt.shortCode, link);
    outcomes.push({ verdict, viewCount: link?.viewCount ?? 0 });
    const { id, shortCode, ipAddress, userAgent, at } = attempt;
    const result = toAuditResult(attempt.purpose, verdict);
    records.push({ id, shortCode, result, ipAddress, userAgent, accessedAt: at });
  }
  return { after, outcomes, records };
}

/** Counts the attempts at each time, ascending, without previews. */
function attemptsByTime(counts: ReadonlyMap<number, ReadonlyMap<string, number>>) {
  return [...counts]
    .map(([time, byResult]) => ({ time, count: sum(byResult) - (byResult.get('PREVIEW') ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.time - b.time);
}

/** Checks a property on any links and any batch of attempts. */
function forAnyBatch(
  check: (
    links: Map<string, LinkState>,
    attempts: Attempt[],
    effects: ReturnType<typeof applyAttempts>,
  ) => void,
): void {
  fc.assert(
    fc.property(anyLinks, anyAttempts, (links, attempts) => {
      check(links, attempts, applyAttempts(links, attempts));
    }),
    { numRuns: 300 },
  );
}

const sum = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

describe('the effects of a batch', () => {
  test('have the outcomes and records of the attempts one by one, in their order', () => {
    forAnyBatch((links, attempts, effects) => {
      const { outcomes, records } = oneByOne(links, attempts);
      assert.deepEqual(effects.outcomes, outcomes);
      assert.deepEqual(effects.records, records);
    });
  });

  test('have exactly the links whose views changed, with their view counts', () => {
    forAnyBatch((links, attempts, effects) => {
      const { after } = oneByOne(links, attempts);
      const viewed = [...after].filter(([code, { viewCount }]) => viewCount !== links.get(code)?.viewCount);
      const viewsOf = (states: Iterable<[string, LinkState]>) =>
        new Map([...states].map(([code, { viewCount }]) => [code, viewCount]));
      assert.deepEqual(viewsOf(effects.viewed), viewsOf(viewed));
    });
  });

  test('have exactly the links that left ACTIVE, with their new status', () => {
    forAnyBatch((links, attempts, effects) => {
      const { after } = oneByOne(links, attempts);
      const left = [...after].filter(([code, { status }]) => status !== links.get(code)?.status);
      assert.deepEqual(effects.statusChanges, new Map(left.map(([code, { status }]) => [code, status])));
    });
  });

  test('count wrong passwords by link, without previews', () => {
    forAnyBatch((_, attempts, effects) => {
      const exceptions = rank(effects.records, 'INVALID_PASSWORD', attempts.length);
      assert.deepEqual(
        effects.invalidPasswords,
        new Map(exceptions.map(({ shortCode, count }) => [shortCode, count])),
      );
    });
  });

  test('count by hour, UTC day and hour of the day as a recount of the records does', () => {
    forAnyBatch((_, attempts, effects) => {
      const { totals, hourly, daily, byHour } = recount(effects.records);
      assert.deepEqual(
        attemptsByTime(effects.byHourOfDay).map(({ time, count }) => ({ hour: time, count })),
        hourly,
      );
      assert.deepEqual(
        attemptsByTime(effects.byDay).map(({ time, count }) => ({
          date: new Date(time * 24 * HOUR_MS).toISOString().slice(0, 10),
          count,
        })),
        daily,
      );
      assert.deepEqual(
        attemptsByTime(effects.byHour).map(({ time, count }) => ({ startsAt: time * HOUR_MS, total: count })),
        byHour.map(({ startsAt, total }) => ({ startsAt, total })),
      );
      for (const counts of [effects.byHour, effects.byDay, effects.byHourOfDay]) {
        const byResult: Record<string, number> = {};
        for (const ofTime of counts.values()) {
          for (const [result, count] of ofTime) byResult[result] = (byResult[result] ?? 0) + count;
        }
        assert.deepEqual(byResult, totals.countsByResult);
      }
      assert.equal(
        [...effects.byDay.values()].reduce((total, ofDay) => total + sum(ofDay), 0),
        attempts.length,
      );
    });
  });

  test('have each address of the attempts once, without those of previews alone', () => {
    forAnyBatch((_, __, effects) => {
      assert.equal(effects.origins.size, recount(effects.records).totals.uniqueOrigins);
      const addresses = new Set(
        effects.records.filter(({ result }) => result !== 'PREVIEW').map(({ ipAddress }) => ipAddress),
      );
      for (const origin of effects.origins) assert.ok(addresses.has(origin));
    });
  });

  test('leave the given links unchanged', () => {
    forAnyBatch((links, attempts) => {
      const frozen = new Map([...links].map(([code, link]) => [code, Object.freeze({ ...link })]));
      applyAttempts(frozen, attempts);
      assert.deepEqual(frozen, links);
    });
  });

  test('include 5 views for a limit of 5 in a batch of 200', () => {
    const links = new Map([[codeOf(1), { ...ACTIVE, maxViews: 5 }]]);
    const effects = applyAttempts(
      links,
      Array.from({ length: 200 }, () => attemptOn(codeOf(1))),
    );
    assert.equal(effects.outcomes.filter(({ verdict }) => verdict === 'SUCCESS').length, 5);
    assert.equal(effects.viewed.get(codeOf(1))?.viewCount, 5);
    assert.equal(effects.statusChanges.get(codeOf(1)), 'EXPIRED');
    assert.equal(effects.records.length, 200);
  });

  test('of one attempt apply to the next on the same link only', () => {
    const links = new Map([
      [codeOf(1), { ...ACTIVE, maxViews: 1 }],
      [codeOf(2), { ...ACTIVE, maxViews: 1 }],
    ]);
    const codes = [1, 1, 2, 1, 2].map(codeOf);
    const { outcomes } = applyAttempts(
      links,
      codes.map((code) => attemptOn(code, { prechecks: PASSES })),
    );
    assert.deepEqual(
      outcomes.map(({ verdict }) => verdict),
      ['SUCCESS', 'VIEW_LIMIT_REACHED', 'SUCCESS', 'VIEW_LIMIT_REACHED', 'VIEW_LIMIT_REACHED'],
    );
  });
});
