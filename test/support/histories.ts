import fc from 'fast-check';
import type { Prechecks, Purpose } from '../../src/core/model/attempt.ts';
import type { Store } from '../../src/stores/store.ts';
import { codeOf, newChange, START } from './attempts.ts';
import type { Limits } from './link-life.ts';

/** An action on some links; `link` may be a number that no link has. */
export type Action =
  | { kind: 'attempt'; link: number; purpose: Purpose; prechecks: Prechecks; origin: number; count: number }
  | { kind: 'revoke'; link: number }
  | { kind: 'pause'; link: number; isPaused: boolean }
  | { kind: 'expire' }
  | { kind: 'move clock'; ms: number };

/** Pauses a link of a store, or resumes it. */
export async function pause(store: Store, { link, isPaused }: Action & { kind: 'pause' }): Promise<string> {
  const requested = { patch: { isPaused }, versions: null };
  return (await store.change(codeOf(link), requested, newChange())).result;
}

/** `TEST_PROPERTY_RUNS=20` tries twenty times as many cases of each of these properties, and shortens one that fails. */
const FACTOR = Number(process.env['TEST_PROPERTY_RUNS'] ?? 1);
/** Bounds the search for a shorter counterexample. All runs take a small part of it, also on an overloaded machine. */
const PROPERTY_MS = 600_000;

/**
 * Returns the parameters of a property that opens a store in each run: few runs, with other cases each time. Without
 * `TEST_PROPERTY_RUNS`, the first failure ends it: the search for a shorter one takes minutes, and the seed repeats it.
 */
export function storeRuns(numRuns: number): fc.Parameters<unknown> {
  return FACTOR === 1
    ? { numRuns, endOnFailure: true }
    : { numRuns: numRuns * FACTOR, interruptAfterTimeLimit: PROPERTY_MS * FACTOR };
}

const HOUR_MS = 3_600_000;

export const anyPurpose = fc.constantFrom<Purpose[]>('OPEN', 'OPEN', 'OPEN', 'OPEN', 'PREVIEW');

/** Generates all prechecks; most of them let the attempt pass. */
export const anyPrechecks: fc.Arbitrary<Prechecks> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constant({ password: 'RIGHT', file: 'OPEN', confirmation: 'NOT_NEEDED' } as const),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      password: fc.constantFrom('NOT_NEEDED', 'MISSING', 'WRONG', 'RIGHT'),
      file: fc.constantFrom('NOT_NEEDED', 'MISSING', 'OPEN'),
      confirmation: fc.constantFrom('NOT_NEEDED', 'NOT_NEEDED', 'MISSING'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      password: fc.constantFrom('NOT_NEEDED', 'WRONG', 'RIGHT'),
      file: fc.constant('OPEN' as const),
      confirmation: fc.constant('NOT_NEEDED' as const),
      // No browser was sent a code, so no proof is right.
      recipient: fc.constantFrom('MISSING' as const, {
        browserHash: 'none',
        address: 'ann@example.com',
        codeHash: 'none',
      }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('LINK_NOT_FOUND', 'RATE_LIMITED') },
);

/** Generates how many attempts a limit refused; others are recorded each by itself. */
export const anyCount = fc.constantFrom(1, 2, 1_000);

/** Generates limits so narrow that a short history exceeds them. */
export const anyLimits: fc.Arbitrary<Limits> = fc.record({
  maxViews: fc.option(fc.integer({ min: 1, max: 4 })),
  startsAt: fc.option(fc.constantFrom(1, 1000, HOUR_MS).map((ms) => START + ms)),
  expiresAt: fc.option(fc.constantFrom(0, 1, 1000, HOUR_MS, 5 * HOUR_MS).map((ms) => START + ms)),
});

/** Generates actions on links 0 to `links` − 1 and on a missing one. The clock also goes back. */
export function anyHistory(links: number, maxLength: number): fc.Arbitrary<Action[]> {
  const link = fc.integer({ min: 0, max: links });
  const action = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('attempt' as const),
        link,
        purpose: anyPurpose,
        prechecks: anyPrechecks,
        origin: fc.integer({ min: 0, max: 5 }),
        count: anyCount,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), link }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('pause' as const), link, isPaused: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'expire' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('move clock' as const),
        ms: fc.constantFrom(1, 1, 999, 1000, 10 * 60_000, HOUR_MS, 7 * HOUR_MS, -1, -HOUR_MS),
      }),
    },
  );
  return fc.array(action, { maxLength, size: 'max' });
}
