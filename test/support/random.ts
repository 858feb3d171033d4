import type { RandomInt } from '../../src/core/model/short-code.ts';

/** A uniform integer in [0, max), the same sequence for the same seed (mulberry32). */
export function seededInt(seed: number): RandomInt {
  let state = seed >>> 0;
  return (max) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * max);
  };
}

/** One of a list that is not empty. */
export function pick<T>(randomInt: RandomInt, from: readonly T[]): T {
  const picked = from[randomInt(from.length)];
  if (picked === undefined) throw new RangeError('nothing to pick from');
  return picked;
}
