import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flag, number, one, readOptions, some, text } from './options.ts';
import { missedBound, problemsOf } from './report.ts';

const OPTIONS = {
  rounds: number(50),
  seed: number(7, { atLeast: 0 }),
  store: some(['sqlite', 'postgres']),
  access: one(['open', 'keys']),
  short: flag(),
  json: text(),
};

describe('the options of a driver', () => {
  test('options have their defaults, and names are all of them', () => {
    const { values, chosen, asksForHelp } = readOptions(OPTIONS, ['a', 'b'], []);
    const defaults = { rounds: 50, seed: 7, store: ['sqlite', 'postgres'], access: 'open', short: false };
    assert.deepEqual(values, { ...defaults, json: undefined });
    assert.deepEqual([chosen, asksForHelp], [['a', 'b'], false]);
  });

  test('options have the values that are given', () => {
    const args = ['b', '--rounds=3', '--seed=0', '--store=postgres', '--access=keys', '--short', '--json=x'];
    const { values, chosen } = readOptions(OPTIONS, ['a', 'b'], args);
    const given = { rounds: 3, seed: 0, store: ['postgres'], access: 'keys', short: true, json: 'x' };
    assert.deepEqual([values, chosen], [given, ['b']]);
  });

  for (const [arg, problem] of [
    ['--rounds=0', /--rounds: must be a number above 0, not 0/],
    ['--rounds=many', /--rounds: must be a number above 0, not many/],
    ['--seed=-1', /--seed: must be a number from 0, not -1/],
    ['--store=oracle', /--store: oracle is unknown; there are sqlite, postgres/],
    ['--access=none', /--access: none is unknown; there are open, keys/],
    ['--other', /--other/],
    ['c', /c is unknown; there are a, b/],
  ] as const) {
    test(`options do not accept ${arg}`, () => {
      assert.throws(() => readOptions(OPTIONS, ['a', 'b'], [arg]), problem);
    });
  }
});

describe('the report of a driver', () => {
  test('a figure outside its bound is missed, and a time only where times are judged', () => {
    const slow = { what: 'time', value: 200, unit: 'ms', atMost: 100 } as const;
    assert.match(missedBound(slow, { judgesTimes: true }) ?? '', /time: 200 ms, but must be at most 100/);
    assert.equal(missedBound(slow, { judgesTimes: false }), undefined);
    const wrong = { what: 'status', value: 500, unit: 'status', equals: 404 } as const;
    assert.match(missedBound(wrong, { judgesTimes: false }) ?? '', /must be 404/);
  });

  test('the problems of a result are its findings and what its figures miss', () => {
    const few = { what: 'requests', value: 1, unit: 'count', atLeast: 2 } as const;
    const problems = problemsOf({
      findings: ['a loss'],
      figures: [few, { ...few, value: 2 }],
      notes: ['a note'],
    });
    assert.deepEqual(problems, ['a loss', 'requests: 1, but must be at least 2']);
  });
});
