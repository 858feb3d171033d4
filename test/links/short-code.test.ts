import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { newShortCode } from '../../src/links/short-code.ts';
import { seededInt } from '../support/random.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;
const CODES = 62 * 800;

/** With 61 degrees of freedom, a uniform source exceeds this in one of 1,000 trials. */
const CHI_SQUARE_61_AT_0_001 = 100.89;

/** Returns Pearson's statistic: the sum of squared deviations over the expected count. */
function chiSquare(counts: Map<string, number>, total: number): number {
  const expected = total / ALPHANUMERICS.length;
  return [...ALPHANUMERICS].reduce((sum, character) => {
    return sum + ((counts.get(character) ?? 0) - expected) ** 2 / expected;
  }, 0);
}

describe('short codes', () => {
  test('a short code is 8 alphanumeric characters', () => {
    for (let count = 0; count < 1000; count++) assert.match(newShortCode(randomInt), /^[A-Za-z0-9]{8}$/);
  });

  test('each of the 62 alphanumerics belongs to exactly one number of the source', () => {
    const maxima: number[] = [];
    const characters = Array.from(ALPHANUMERICS, (_, number) =>
      newShortCode((max) => {
        maxima.push(max);
        return number;
      }),
    );
    assert.deepEqual(new Set(maxima), new Set([ALPHANUMERICS.length]));
    assert.deepEqual(new Set(characters), new Set([...ALPHANUMERICS].map((one) => one.repeat(LENGTH))));
  });

  test('each character is equally likely at each position', () => {
    const source = seededInt(1);
    const codes = Array.from({ length: CODES }, () => newShortCode(source));
    for (let place = 0; place < LENGTH; place++) {
      const counts = new Map<string, number>();
      for (const code of codes) counts.set(code.charAt(place), (counts.get(code.charAt(place)) ?? 0) + 1);
      const distance = chiSquare(counts, CODES);
      assert.ok(distance < CHI_SQUARE_61_AT_0_001, `place ${place}: chi-square ${distance}`);
    }
  });

  test('each position is drawn independently, so that codes do not repeat', () => {
    const codes = Array.from({ length: 10_000 }, () => newShortCode(randomInt));
    assert.equal(new Set(codes).size, codes.length);
  });
});
