import { test } from 'node:test';
import fc from 'fast-check';
import { END_NUMBER, FIRST_NUMBER, listNumberOf } from '../../src/stores/list-number.ts';

const TIME = fc.integer({ min: Date.UTC(1986), max: Date.UTC(2109) });
const CODE = fc.stringMatching(/^[0-9A-Za-z_-]{1,20}$/);

test('the number of a link has the time of its creation', () => {
  fc.assert(
    fc.property(TIME, CODE, (time, code) => BigInt(listNumberOf(time, code)) >> 21n === BigInt(time)),
  );
});

test('the number of a link is between the first and the last for any time of creation', () => {
  const anyTime = fc.integer({ min: 0, max: Date.UTC(9999) });
  fc.assert(
    fc.property(anyTime, CODE, (time, code) => {
      const number = listNumberOf(time, code);
      return number.length === 19 && number >= FIRST_NUMBER && number < END_NUMBER;
    }),
  );
});
