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
import { type EpochMs, LINK_STATUSES, type LinkState, type LinkStatus } from '../../src/links/link.ts';
import { applyAttempts, type Counts } from '../../src/stores/apply-attempts.ts';
import { ABANDONED } from '../../src/stores/departures.ts';
import { attemptOn, codeOf, linkState, START } from '../support/attempts.ts';
import { anyCount, anyLimits, anyPrechecks, anyPurpose } from '../support/histories.ts';
import { rank, WRONG_PASSWORDS } from '../support/recount.ts';

const LINKS = 4;
const HOUR_MS = 3_600_000;

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
        linkState({ ...limits, status, viewCount: Math.min(viewCount, limits.maxViews ?? viewCount) }),
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
      refused: anyCount,
    })
    .map(({ link, ms, refused, ...known }) => {
      const count = known.prechecks === 'RATE_LIMITED' ? refused : 1;
      return attemptOn(codeOf(link), { at: START + ms, count, ...known });
    }),
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
    const { id, shortCode, ipAddress, userAgent, at, count = 1 } = attempt;
    const result = toAuditResult(attempt.purpose, verdict);
    records.push({ id, shortCode, result, count, ipAddress, userAgent, accessedAt: at });
  }
  return { after, outcomes, records };
}

/** Counts records by time, then by result. */
function countByTime(records: readonly AuditRecord[], timeOf: (at: EpochMs) => number): Counts {
  const byTime = Map.groupBy(records, ({ accessedAt }) => timeOf(accessedAt));
  return new Map(
    [...byTime].map(([time, ofTime]) => {
      const byResult = Map.groupBy(ofTime, ({ result }) => result);
      const sums = [...byResult].map(
        ([result, counted]) => [result, counted.reduce((sum, { count }) => sum + count, 0)] as const,
      );
      return [time, new Map(sums)];
    }),
  );
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

describe('the effects of a batch', () => {
  test('have the outcomes and records of the attempts one by one, in their order', () => {
    forAnyBatch((links, attempts, effects) => {
      const { outcomes, records } = oneByOne(links, attempts);
      assert.deepEqual(effects.outcomes, outcomes);
      assert.deepEqual(
        effects.records.map(({ number: _, prev: __, ...each }) => each),
        records,
      );
    });
  });

  test('are those of the attempts that were not abandoned', () => {
    fc.assert(
      fc.property(anyLinks, anyAttempts, fc.func(fc.boolean()), (links, attempts, isAbandoned) => {
        const { outcomes, ...effects } = applyAttempts(links, attempts, isAbandoned);
        const kept = attempts.filter((_, index) => !isAbandoned(index));
        const { outcomes: keptOutcomes, ...keptEffects } = applyAttempts(links, kept);
        assert.deepEqual(effects, keptEffects);
        const expected = [...keptOutcomes];
        assert.deepEqual(
          outcomes,
          attempts.map((_, index) => (isAbandoned(index) ? ABANDONED : expected.shift())),
        );
      }),
    );
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

  test('count wrong passwords by link, with those of previews', () => {
    forAnyBatch((_, attempts, effects) => {
      const exceptions = rank(effects.records, WRONG_PASSWORDS, attempts.length);
      assert.deepEqual(
        effects.invalidPasswords,
        new Map(exceptions.map(({ shortCode, count }) => [shortCode, count])),
      );
    });
  });

  test('count by hour, UTC day and hour of the day', () => {
    forAnyBatch((_, __, { records, byHour, byDay, byHourOfDay }) => {
      assert.deepEqual(
        byHour,
        countByTime(records, (at) => Math.floor(at / HOUR_MS)),
      );
      assert.deepEqual(
        byDay,
        countByTime(records, (at) => Math.floor(at / (24 * HOUR_MS))),
      );
      assert.deepEqual(
        byHourOfDay,
        countByTime(records, (at) => new Date(at).getUTCHours()),
      );
    });
  });

  test('have each address of the attempts once, without those of previews alone', () => {
    forAnyBatch((_, __, { records, origins }) => {
      const attempts = records.filter(({ result }) => !result.startsWith('PREVIEW'));
      const addresses = attempts.map(({ ipAddress }) => ipAddress).filter((address) => address !== null);
      assert.deepEqual(origins, new Set(addresses));
    });
  });

  test('leave the given links unchanged', () => {
    forAnyBatch((links, attempts) => {
      const frozen = new Map([...links].map(([code, link]) => [code, Object.freeze({ ...link })]));
      applyAttempts(frozen, attempts);
      assert.deepEqual(frozen, links);
    });
  });
});
