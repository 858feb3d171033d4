import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { newShortCode } from '../../src/links/short-code.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

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

  test('each position is drawn independently, so that codes do not repeat', () => {
    const codes = Array.from({ length: 10_000 }, () => newShortCode(randomInt));
    assert.equal(new Set(codes).size, codes.length);
  });
});
