import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Attempt,
  type AttemptOutcome,
  type AuditRecord,
  toAuditResult,
} from '../../src/core/model/attempt.ts';
import { EMPTY_CHAIN } from '../../src/core/model/chain.ts';
import { decide, dependsOnLink } from '../../src/core/model/decide-attempt.ts';
import type { LogEntry } from '../../src/core/model/history.ts';
import { LINK_STATUSES, type LinkState, type LinkStatus } from '../../src/core/model/link.ts';
import { applyAttempts } from '../../src/stores/apply-attempts.ts';
import type { CurrentLink } from '../../src/stores/link-rows.ts';
import { attemptOn, codeOf, linkState, START } from '../support/attempts.ts';
import { anyCount, anyLimits, anyPrechecks, anyPurpose } from '../support/histories.ts';
import { pluck } from '../support/pluck.ts';

const LINKS = 4;
const HOUR_MS = 3_600_000;

const anyLinks: fc.Arbitrary<Map<string, LinkState>> = fc
  .array(
    fc.tuple(
      anyLimits,
      fc.constantFrom<LinkStatus[]>('ACTIVE', 'ACTIVE', ...LINK_STATUSES),
      fc.nat(2),
      fc.boolean(),
    ),
    {
      minLength: LINKS,
      maxLength: LINKS,
    },
  )
  .map((states) => {
    return new Map(
      states.map(([limits, status, viewCount, isPaused], index) => [
        codeOf(index),
        linkState({
          ...limits,
          status,
          isPaused,
          viewCount: Math.min(viewCount, limits.maxViews ?? viewCount),
        }),
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
    const before = dependsOnLink(attempt) ? after.get(attempt.shortCode) : undefined;
    const { verdict, link } = decide(before, attempt, attempt.at);
    if (link) after.set(attempt.shortCode, link);
    outcomes.push({ verdict, viewCount: link?.viewCount ?? 0 });
    const { id, shortCode, ipAddress, userAgent, at, count = 1 } = attempt;
    const result = toAuditResult(attempt.purpose, verdict);
    records.push({ id, shortCode, result, count, ipAddress, userAgent, accessedAt: at });
  }
  return { after, outcomes, records };
}

const FIRST_SEQ = 7;

function toCurrent(links: ReadonlyMap<string, LinkState>): Map<string, CurrentLink> {
  return new Map([...links].map(([code, state]) => [code, { state, head: EMPTY_CHAIN }]));
}

function toRecord({ id, shortCode, ipAddress, userAgent, result, count, at }: AttemptEntry): AuditRecord {
  return { id, shortCode, result, count, ipAddress, userAgent, accessedAt: at };
}
type AttemptEntry = Extract<LogEntry, { kind: 'ATTEMPT' }>;

test('the effects of a batch are those of its attempts one by one, and leave the given links unchanged', () => {
  fc.assert(
    fc.property(anyLinks, anyAttempts, (links, attempts) => {
      const frozen = new Map([...links].map(([code, link]) => [code, Object.freeze({ ...link })]));
      const effects = applyAttempts(toCurrent(frozen), attempts, FIRST_SEQ);
      assert.deepEqual(frozen, links);
      const { after, outcomes, records } = oneByOne(links, attempts);
      assert.deepEqual(effects.outcomes, outcomes);
      const recorded = effects.entries.map((entry) =>
        entry.kind === 'ATTEMPT' ? toRecord(entry) : assert.fail(),
      );
      assert.deepEqual(recorded, records);
      const seqs = records.map((_, index) => FIRST_SEQ + index);
      assert.deepEqual(pluck(effects.entries, 'seq'), seqs);

      const left = [...after].filter(([code, { status }]) => status !== links.get(code)?.status);
      assert.deepEqual(effects.statusChanges, new Map(left.map(([code, { status }]) => [code, status])));
      const chained = effects.entries.filter(({ number }) => number > 0);
      const ofLinks = Map.groupBy(chained, ({ shortCode }) => shortCode);
      assert.deepEqual(new Set(effects.links.keys()), new Set(ofLinks.keys()));
      for (const [code, { state, head }] of effects.links) {
        const entries = ofLinks.get(code) ?? [];
        assert.deepEqual(state, after.get(code));
        for (const [index, { number, prev }] of entries.entries())
          assert.deepEqual([number, prev], [index + 1, entries[index - 1]?.seq ?? null]);
        const { seq, fingerprint } = entries.at(-1) ?? assert.fail();
        assert.deepEqual(head, { entryCount: entries.length, fingerprint, lastSeq: seq });
      }
    }),
    { numRuns: 600 },
  );
});
