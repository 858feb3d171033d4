import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createNumberSet } from '../../src/stores/number-set.ts';

const MAX_NUMBER = 2 ** 32 - 1;

/** Generates numbers that share some containers, where many are a bitmap and few are a list. */
const anyNumbers = fc
  .array(
    fc.record({
      start: fc.oneof(fc.nat(3 * 65_536), fc.integer({ min: MAX_NUMBER - 70_000, max: MAX_NUMBER })),
      count: fc.oneof(fc.nat(10), fc.nat(5_000)),
      step: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 4 },
  )
  .map((runs) =>
    runs.flatMap(({ start, count, step }) =>
      Array.from({ length: count }, (_, index) => Math.min(start + index * step, MAX_NUMBER)),
    ),
  );

function setOf(numbers: Iterable<number>) {
  const set = createNumberSet();
  for (const number of numbers) set.add(number);
  return set;
}

describe('a set of numbers', () => {
  test('counts each number once, also after it was encoded and combined with another', () => {
    fc.assert(
      fc.property(anyNumbers, anyNumbers, (one, other) => {
        const union = setOf(one);
        union.addEncoded(setOf(other).encode());
        assert.equal(setOf(one).size(), new Set(one).size);
        assert.equal(union.size(), new Set([...one, ...other]).size);
      }),
      { numRuns: 50 },
    );
  });

  test('has the same bytes in whatever order the numbers came', () => {
    fc.assert(
      fc.property(anyNumbers, (numbers) => {
        const encoded = setOf(numbers).encode();
        const again = createNumberSet();
        again.addEncoded(encoded);
        assert.deepEqual(setOf(numbers.toReversed()).encode(), encoded);
        assert.deepEqual(again.encode(), encoded);
      }),
      { numRuns: 50 },
    );
  });

  test('is read from any address in memory', () => {
    const encoded = setOf([1, 2, 70_000]).encode();
    const shifted = new Uint8Array(encoded.length + 1);
    shifted.set(encoded, 1);
    const set = createNumberSet();
    set.addEncoded(shifted.subarray(1));
    assert.equal(set.size(), 3);
  });

  test('takes 2 bytes for each of few numbers, and 8 KiB for 65,536', () => {
    assert.equal(setOf([]).encode().length, 0);
    assert.equal(setOf([5, 6]).encode().length, 4 + 2 * 2);
    assert.equal(setOf(Array.from({ length: 65_536 }, (_, index) => index)).encode().length, 4 + 8_192);
  });

  test('that is cut off is refused', () => {
    for (const count of [3, 3_000]) {
      const encoded = setOf(Array.from({ length: count }, (_, index) => index)).encode();
      assert.throws(() => createNumberSet().addEncoded(encoded.subarray(0, -2)), /cut off/);
    }
  });
});
