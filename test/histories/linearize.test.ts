import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { linearize, type Operation } from './linearize.ts';
import { LINK_MODEL, type LinkInput } from './link-model.ts';

type Recorded = Operation<LinkInput>;

const CREATE: LinkInput = { kind: 'create', maxViews: 1, password: null };
const OPEN: LinkInput = { kind: 'open', password: null };
const HEAD: LinkInput = { kind: 'HEAD', password: null };
const RAISE: LinkInput = { kind: 'change', patch: { maxViews: 2 } };
const PROTECT: LinkInput = { kind: 'change', patch: { password: 'new' } };
const PAUSE: LinkInput = { kind: 'change', patch: { paused: true } };
const SCHEDULE: LinkInput = { kind: 'change', patch: { startsAt: '2099-01-01T00:00:00Z' } };
const REVOKE: LinkInput = { kind: 'revoke' };
const DESCRIBE: LinkInput = { kind: 'describe' };

/** An operation from its first to its last moment. */
const at = (invokedAt: number, completedAt: number, input: LinkInput, output: string): Recorded => ({
  input,
  invokedAt,
  completedAt,
  output,
});
const unknown = (invokedAt: number, input: LinkInput): Recorded => ({ input, invokedAt, completedAt: null });
const created = at(0, 1, CREATE, 'created');

const CORRECT: Record<string, Recorded[]> = {
  'one view after another until the limit': [
    created,
    at(2, 3, OPEN, 'SUCCESS'),
    at(4, 5, OPEN, 'VIEW_LIMIT_REACHED'),
    at(6, 7, DESCRIBE, 'EXPIRED with 1 views'),
  ],
  'concurrent openings of which either may win': [
    created,
    at(2, 9, OPEN, 'VIEW_LIMIT_REACHED'),
    at(3, 8, OPEN, 'SUCCESS'),
  ],
  'a view by an opening whose response was lost': [
    created,
    unknown(2, OPEN),
    at(4, 5, OPEN, 'VIEW_LIMIT_REACHED'),
  ],
  'a lost opening that never took effect': [created, unknown(2, OPEN), at(4, 5, OPEN, 'SUCCESS')],
  'a lost opening that takes effect late': [
    created,
    unknown(2, OPEN),
    at(4, 5, DESCRIBE, 'ACTIVE with 0 views'),
    at(6, 7, DESCRIBE, 'EXPIRED with 1 views'),
  ],
  'a lost revocation that takes effect late': [
    created,
    unknown(2, REVOKE),
    at(4, 5, HEAD, 'HEAD 200'),
    at(6, 7, OPEN, 'REVOKED'),
    at(8, 9, REVOKE, 'revoked'),
  ],
  'an opening during a change, by the old and the new terms': [
    created,
    at(2, 9, PROTECT, 'EXPIRED with 1 views'),
    at(3, 8, OPEN, 'SUCCESS'),
    at(4, 8, HEAD, 'HEAD 401'),
  ],
  'a view after a limit was raised': [
    created,
    at(2, 3, OPEN, 'SUCCESS'),
    at(4, 5, RAISE, 'ACTIVE with 1 views'),
    at(6, 7, OPEN, 'SUCCESS'),
  ],
  'an opening during a pause and before its start': [
    created,
    at(2, 9, PAUSE, 'ACTIVE with 0 views'),
    at(3, 8, OPEN, 'PAUSED'),
    at(10, 11, { kind: 'change', patch: { paused: false } }, 'ACTIVE with 0 views'),
    at(12, 13, SCHEDULE, 'ACTIVE with 0 views'),
    at(14, 15, OPEN, 'NOT_STARTED'),
  ],
  'an opening during a revocation': [created, at(2, 9, REVOKE, 'revoked'), at(3, 8, OPEN, 'SUCCESS')],
};

const VIOLATIONS: Record<string, Recorded[]> = {
  'a view over the limit': [created, at(2, 3, OPEN, 'SUCCESS'), at(4, 5, OPEN, 'SUCCESS')],
  'concurrent views over the limit': [created, at(2, 9, OPEN, 'SUCCESS'), at(3, 8, OPEN, 'SUCCESS')],
  'a lost view': [created, at(2, 3, OPEN, 'SUCCESS'), at(4, 5, DESCRIBE, 'ACTIVE with 0 views')],
  'a view that no operation spent': [created, at(2, 3, OPEN, 'VIEW_LIMIT_REACHED')],
  'a preview that spends a view': [
    created,
    at(2, 3, HEAD, 'HEAD 200'),
    at(4, 5, DESCRIBE, 'EXPIRED with 1 views'),
  ],
  'an opening after an acknowledged revocation': [
    created,
    at(2, 3, REVOKE, 'revoked'),
    at(4, 5, OPEN, 'SUCCESS'),
  ],
  'an opening without the password after an acknowledged change': [
    created,
    at(2, 3, PROTECT, 'ACTIVE with 0 views'),
    at(4, 5, OPEN, 'SUCCESS'),
  ],
  'a view before the start of a link': [
    created,
    at(2, 3, SCHEDULE, 'ACTIVE with 0 views'),
    at(4, 5, OPEN, 'SUCCESS'),
  ],
  'a change that is lost': [
    created,
    at(2, 3, OPEN, 'SUCCESS'),
    at(4, 5, RAISE, 'ACTIVE with 1 views'),
    at(6, 7, OPEN, 'VIEW_LIMIT_REACHED'),
  ],
  'a stale read': [
    created,
    at(2, 3, DESCRIBE, 'ACTIVE with 0 views'),
    at(4, 5, OPEN, 'SUCCESS'),
    at(6, 7, OPEN, 'VIEW_LIMIT_REACHED'),
    at(8, 9, DESCRIBE, 'ACTIVE with 0 views'),
  ],
  'a revocation that is undone': [
    created,
    unknown(2, REVOKE),
    at(4, 5, OPEN, 'REVOKED'),
    at(6, 7, HEAD, 'HEAD 200'),
  ],
  'a lost link': [created, at(2, 3, OPEN, 'NOT_FOUND')],
  'an effect of an unknown operation before its invocation': [
    created,
    at(2, 3, OPEN, 'VIEW_LIMIT_REACHED'),
    unknown(4, OPEN),
  ],
};

describe('linearize', () => {
  for (const [what, history] of Object.entries(CORRECT)) {
    test(`linearize accepts ${what}`, () => assert.ok(linearize(LINK_MODEL, history).isLinearizable));
  }
  for (const [what, history] of Object.entries(VIOLATIONS)) {
    test(`linearize rejects ${what}`, () => assert.ok(!linearize(LINK_MODEL, history).isLinearizable));
  }

  test('linearize names the operations that no order explains', () => {
    const [, first, second] = VIOLATIONS['a view over the limit'] ?? [];
    const found = linearize(LINK_MODEL, VIOLATIONS['a view over the limit'] ?? []);
    assert.ok(!found.isLinearizable);
    assert.deepEqual(found.longest, [created, first]);
    assert.deepEqual(found.stuck, [second]);
  });

  test('linearize agrees with a search of all permutations on short histories', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyHistory, (history) => {
        const expected = isExplainedByAny(history);
        if (expected) accepted += 1;
        assert.equal(linearize(LINK_MODEL, history).isLinearizable, expected);
      }),
      { numRuns: RUNS, seed: 11 }, // so that the shares below are always the same
    );
    assert.ok(accepted > RUNS / 10 && accepted < (RUNS * 9) / 10, `${accepted} of ${RUNS} are linearizable`);
  });

  test('linearize decides a long history with many unknown operations', () => {
    const clients = 8;
    const history = Array.from({ length: 200 }, (_, index): Recorded => {
      const turn = Math.floor(index / clients);
      if (index % 10 === 9) return unknown(turn * 10, OPEN);
      if (index % 10 === 4) return at(turn * 10, turn * 10 + 12, OPEN, 'SUCCESS');
      return at(turn * 10 + (index % clients), turn * 10 + 12, HEAD, 'HEAD 200');
    });
    const limited = at(-2, -1, { kind: 'create', maxViews: 39, password: null }, 'created');
    const described = at(5_000, 5_001, DESCRIBE, 'ACTIVE with 35 views');
    assert.ok(linearize(LINK_MODEL, [limited, ...history, described]).isLinearizable);
    const impossible = at(5_000, 5_001, DESCRIBE, 'ACTIVE with 41 views');
    assert.ok(!linearize(LINK_MODEL, [limited, ...history, impossible]).isLinearizable);
  });
});

const RUNS = 1_000;
const MAX_OPERATIONS = 5;

const anyInput = fc.constantFrom(
  OPEN,
  OPEN,
  OPEN,
  OPEN,
  HEAD,
  REVOKE,
  DESCRIBE,
  RAISE,
  PROTECT,
  PAUSE,
  SCHEDULE,
);

/**
 * Generates a link and operations on it. Outputs come from a run in the order of one moment within each operation, so
 * that the history is linearizable unless `wrong` replaces an output.
 */
const anyHistory: fc.Arbitrary<Recorded[]> = fc
  .record({
    maxViews: fc.option(fc.integer({ min: 1, max: 2 })),
    calls: fc.array(
      fc.record({
        input: anyInput,
        invokedAt: fc.integer({ min: 2, max: 12 }),
        before: fc.integer({ min: 0, max: 6 }),
        after: fc.integer({ min: 0, max: 6 }),
        isUnknown: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
      }),
      { minLength: 1, maxLength: MAX_OPERATIONS },
    ),
    wrong: fc.option(fc.tuple(fc.nat(MAX_OPERATIONS - 1), fc.nat(MAX_OPERATIONS - 1))),
  })
  .map(({ maxViews, calls, wrong }) => {
    const create: LinkInput = { kind: 'create', maxViews, password: null };
    let { state } = LINK_MODEL.step(undefined, create);
    const inOrder = calls
      .map((call) => ({ ...call, effectAt: call.invokedAt + call.before }))
      .sort((one, other) => one.effectAt - other.effectAt);
    const history = inOrder.map(({ input, invokedAt, effectAt, after, isUnknown }): Recorded => {
      const { state: next, output } = LINK_MODEL.step(state, input);
      state = next;
      return isUnknown ? unknown(invokedAt, input) : at(invokedAt, effectAt + after, input, output);
    });
    swapOutputs(history, wrong);
    return [at(0, 1, create, 'created'), ...history];
  });

/** Gives one operation the output of another one of its kind, or of any: plausible, and often impossible. */
function swapOutputs(history: Recorded[], wrong: [number, number] | null): void {
  const [one, other] = [history[wrong?.[0] ?? 0], history[wrong?.[1] ?? 0]];
  if (!one || !other || one.completedAt === null || other.completedAt === null) return;
  [one.output, other.output] = [other.output, one.output];
}

/** Tries every order of all completed operations with each part of the unknown ones. */
function isExplainedByAny(history: readonly Recorded[]): boolean {
  return extend(LINK_MODEL.initial, history);
}

function extend(state: typeof LINK_MODEL.initial, left: readonly Recorded[]): boolean {
  if (left.every(({ completedAt }) => completedAt === null)) return true;
  return left.some((operation) => {
    const others = left.filter((each) => each !== operation);
    const isLate = others.some(
      ({ completedAt }) => completedAt !== null && completedAt < operation.invokedAt,
    );
    if (isLate) return false;
    const next = LINK_MODEL.step(state, operation.input);
    const isExplained = operation.completedAt === null || operation.output === next.output;
    return isExplained && extend(next.state, others);
  });
}
