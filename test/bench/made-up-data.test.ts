import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { figuresOf, quantile } from '../../bench/support/figures.ts';
import {
  LINK_KINDS,
  madeUpLink,
  prepareAttempts,
  shortCodeOf,
  YEAR_MS,
} from '../../bench/support/made-up-data.ts';
import { shortCount } from '../../bench/support/scenario.ts';
import { toTable } from '../../bench/support/table.ts';

const counts = { PLAIN: 5_000, EXPIRED: 100, PROTECTED: 100, DUE: 200 };
const data = { counts, records: 20_000, yearStart: Date.UTC(2025, 0) };

describe('made-up links', () => {
  test('made-up links have unique codes, in the order of their index', () => {
    const codes = LINK_KINDS.map((kind) =>
      Array.from({ length: counts[kind] }, (_, index) => shortCodeOf(kind, index, counts)),
    );
    for (const ofKind of codes) assert.deepEqual(ofKind, ofKind.toSorted());
    const all = codes.flat();
    assert.equal(new Set(all).size, 5_400);
    for (const code of all) assert.match(code, /^[0-9a-z]{8}$/);
  });

  test('made-up links have unique codes, even ten million of them', () => {
    const many = { ...counts, PLAIN: 10_000_000 };
    const codes = Array.from({ length: 1_000 }, (_, index) => shortCodeOf('PLAIN', 9_999_000 + index, many));
    assert.equal(new Set(codes).size, 1_000);
  });

  test('made-up links that are due end within the year', () => {
    for (const index of [0, counts.DUE - 1]) {
      const { expiresAt } = madeUpLink('DUE', index, data);
      assert.ok(expiresAt !== null && expiresAt > data.yearStart && expiresAt < data.yearStart + YEAR_MS);
    }
  });
});

describe('made-up attempts', () => {
  const attemptOf = prepareAttempts(data);
  const attempts = Array.from({ length: data.records }, (_, index) => attemptOf(index));

  test('made-up attempts are spread over the year in the order of time', () => {
    const times = attempts.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted());
    assert.equal(times[0], data.yearStart);
    assert.ok((times.at(-1) ?? 0) > data.yearStart + 0.99 * YEAR_MS);
  });

  test('made-up attempts are on existing links, except those on unknown codes', () => {
    const known = new Set(
      LINK_KINDS.flatMap((kind) =>
        Array.from({ length: counts[kind] }, (_, index) => shortCodeOf(kind, index, counts)),
      ),
    );
    for (const { prechecks, shortCode } of attempts) {
      assert.equal(known.has(shortCode), prechecks !== 'LINK_NOT_FOUND', shortCode);
    }
  });

  test('made-up attempts come from many addresses and several agents, with every kind of precheck', () => {
    assert.ok(new Set(attempts.map(({ ipAddress }) => ipAddress)).size > 15_000);
    assert.ok(new Set(attempts.map(({ userAgent }) => userAgent)).size > 5);
    assert.equal(new Set(attempts.map(({ prechecks }) => JSON.stringify(prechecks))).size, 5);
    assert.ok(attempts.some(({ purpose }) => purpose === 'PREVIEW'));
  });
});

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
