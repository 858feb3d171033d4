import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { figuresOf, quantile } from '../../bench/support/figures.ts';
import { shortCount } from '../../bench/support/scenario.ts';
import { toTable } from '../../bench/support/table.ts';

describe('figures', () => {
  test('figures are the median, minimum and maximum, in any order of measurement', () => {
    assert.deepEqual(figuresOf([5, 1, 9]), { median: 5, min: 1, max: 9 });
    assert.deepEqual(figuresOf([4, 10, 1, 2]), { median: 3, min: 1, max: 10 });
    assert.deepEqual(figuresOf([7]), { median: 7, min: 7, max: 7 });
  });

  test('a quantile is interpolated between two measurements', () => {
    const oneToHundred = Array.from({ length: 100 }, (_, index) => index + 1);
    assert.ok(Math.abs(quantile(oneToHundred, 0.99) - 99.01) < 1e-9);
    assert.equal(quantile(oneToHundred, 1), 100);
  });

  test('a quantile of no samples is NaN', () => {
    assert.equal(quantile([], 0.5), Number.NaN);
  });
});

test('a count has a short form', () => {
  assert.deepEqual([7, 10_000, 1_500_000, 10_000_000].map(shortCount), ['7', '10 k', '1.5 M', '10 M']);
});

describe('the table', () => {
  const rows = [
    { what: 'rate', figures: figuresOf([12_345, 12_340, 12_350]), unit: 'req/s', goal: { atLeast: 10_000 } },
    { what: 'longest wait', figures: figuresOf([51]), unit: 'ms', goal: { atMost: 50 } },
    { what: 'ratio', figures: figuresOf([0.5, 0.6, 0.4]), unit: 'ratio' },
  ] as const;

  test('the table is aligned, and compares the median with its goal', () => {
    assert.equal(
      toTable(rows, { isJudged: true }),
      [
        '  rate          12,345  req/s  12,340 to 12,350  ok: at least 10,000',
        '  longest wait    51.0  ms     51.0 to 51.0      MISSED: at most 50',
        '  ratio          0.500  ratio  0.400 to 0.600',
      ].join('\n'),
    );
  });

  test('the table shows no goals where sizes are shrunk', () => {
    assert.doesNotMatch(toTable(rows, { isJudged: false }), /ok|MISSED/);
  });
});
