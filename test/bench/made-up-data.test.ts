import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  LINK_KINDS,
  madeUpLink,
  prepareAttempts,
  shortCodeOf,
  YEAR_MS,
} from '../../bench/support/made-up-data.ts';

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

  test('end within the year where they are due', () => {
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

  test('come from many addresses and several agents, with every kind of precheck', () => {
    assert.ok(new Set(attempts.map(({ ipAddress }) => ipAddress)).size > 15_000);
    assert.ok(new Set(attempts.map(({ userAgent }) => userAgent)).size > 5);
    assert.equal(new Set(attempts.map(({ prechecks }) => JSON.stringify(prechecks))).size, 5);
    assert.ok(attempts.some(({ purpose }) => purpose === 'PREVIEW'));
  });
});
