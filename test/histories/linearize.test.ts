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

/**
 * Histories of a link with one view: operations with their first and their last moment, their input and their output,
 * both missing where no response came.
 */
const CORRECT: Record<string, string> = {
  'one view after another until the limit':
    '2-3 open SUCCESS; 4-5 open VIEW_LIMIT_REACHED; 6-7 describe EXPIRED with 1 views',
  'concurrent openings of which either may win': '2-9 open VIEW_LIMIT_REACHED; 3-8 open SUCCESS',
  'a view by an opening whose response was lost': '2- open; 4-5 open VIEW_LIMIT_REACHED',
  'a lost opening that never took effect': '2- open; 4-5 open SUCCESS',
  'a lost opening that takes effect late':
    '2- open; 4-5 describe ACTIVE with 0 views; 6-7 describe EXPIRED with 1 views',
  'a lost revocation that takes effect late':
    '2- revoke; 4-5 head HEAD 200; 6-7 open REVOKED; 8-9 revoke revoked',
  'an opening during a change, by the old and the new terms':
    '2-9 protect EXPIRED with 1 views; 3-8 open SUCCESS; 4-8 head HEAD 401',
  'a view after a limit was raised': '2-3 open SUCCESS; 4-5 raise ACTIVE with 1 views; 6-7 open SUCCESS',
  'an opening during a pause and before its start':
    '2-9 pause ACTIVE with 0 views; 3-8 open PAUSED; 10-11 resume ACTIVE with 0 views; 12-13 schedule ACTIVE with 0 views; 14-15 open NOT_STARTED',
  'an opening during a revocation': '2-9 revoke revoked; 3-8 open SUCCESS',
};

const VIOLATIONS: Record<string, string> = {
  'a view over the limit': '2-3 open SUCCESS; 4-5 open SUCCESS',
  'concurrent views over the limit': '2-9 open SUCCESS; 3-8 open SUCCESS',
  'a lost view': '2-3 open SUCCESS; 4-5 describe ACTIVE with 0 views',
  'a view that no operation spent': '2-3 open VIEW_LIMIT_REACHED',
  'a preview that spends a view': '2-3 head HEAD 200; 4-5 describe EXPIRED with 1 views',
  'an opening after an acknowledged revocation': '2-3 revoke revoked; 4-5 open SUCCESS',
  'an opening without the password after an acknowledged change':
    '2-3 protect ACTIVE with 0 views; 4-5 open SUCCESS',
  'a view before the start of a link': '2-3 schedule ACTIVE with 0 views; 4-5 open SUCCESS',
  'a change that is lost': '2-3 open SUCCESS; 4-5 raise ACTIVE with 1 views; 6-7 open VIEW_LIMIT_REACHED',
  'a stale read':
    '2-3 describe ACTIVE with 0 views; 4-5 open SUCCESS; 6-7 open VIEW_LIMIT_REACHED; 8-9 describe ACTIVE with 0 views',
  'a revocation that is undone': '2- revoke; 4-5 open REVOKED; 6-7 head HEAD 200',
  'a lost link': '2-3 open NOT_FOUND',
  'an effect of an unknown operation before its invocation': '2-3 open VIEW_LIMIT_REACHED; 4- open',
};

const INPUTS: Record<string, LinkInput> = {
  ...{ open: OPEN, head: HEAD, raise: RAISE, protect: PROTECT, pause: PAUSE, schedule: SCHEDULE },
  ...{ revoke: REVOKE, describe: DESCRIBE, resume: { kind: 'change', patch: { paused: false } } },
};

function historyOf(text: string): Recorded[] {
  const operations = text.split('; ').map((operation) => {
    const [, from, to, name = '', output] =
      /^(\d+)-(\d*) (\w+) ?(.*)$/.exec(operation) ?? assert.fail(operation);
    const input = INPUTS[name] ?? assert.fail(name);
    return to === '' ? unknown(Number(from), input) : at(Number(from), Number(to), input, output ?? '');
  });
  return [created, ...operations];
}

describe('linearize', () => {
  for (const [what, history] of Object.entries(CORRECT)) {
    test(`linearize accepts ${what}`, () =>
      assert.ok(linearize(LINK_MODEL, historyOf(history)).isLinearizable));
  }
  for (const [what, history] of Object.entries(VIOLATIONS)) {
    test(`linearize rejects ${what}`, () =>
      assert.ok(!linearize(LINK_MODEL, historyOf(history)).isLinearizable));
  }

  test('linearize names the operations that no order explains', () => {
    const history = historyOf(VIOLATIONS['a view over the limit'] ?? '');
    const [, first, second] = history;
    const found = linearize(LINK_MODEL, history);
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
