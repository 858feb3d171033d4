import type { EpochMs } from '../core/model/link.ts';

// The position of a link in the list is a number that grows with the time of its creation, and that its other columns
// give: so no table has to map one to the other. Links of one millisecond, of which an import may have thousands, nearly
// always differ in it; the short code decides the order where they do not.

/** 19 decimal digits, so that texts compare as the numbers do. Databases have it as an integer of 64 bits. */
export type ListNumber = string;

/** With a time until the year 2109, the number has 63 bits. */
export const NUMBERS_PER_MS = 2n ** 21n;
const SLOTS = Number(NUMBERS_PER_MS);
/** Times before 1986 count as this one, and later ones than 2109 as that: all have 19 digits. */
export const MIN_TIME = Date.UTC(1986);
const MAX_TIME = Date.UTC(2109);

export const FIRST_NUMBER: ListNumber = firstNumberAt(MIN_TIME);
/** Greater than the number of any link. */
export const END_NUMBER: ListNumber = firstNumberAt(MAX_TIME + 1);

/** Returns the position of a link in the order of creation. */
export function listNumberOf(createdAt: EpochMs, shortCode: string): ListNumber {
  let hash = 0;
  for (let index = 0; index < shortCode.length; index++)
    hash = Math.imul(hash ^ shortCode.charCodeAt(index), 0x01000193);
  return numberOf(Math.min(createdAt, MAX_TIME), ((hash ^ (hash >>> 21)) >>> 0) % SLOTS); // `^` can be negative
}

/** Returns the least number of links that were created at a time or later. */
export function firstNumberAt(time: EpochMs): ListNumber {
  return numberOf(time, 0);
}

export function numberAfter(number: ListNumber): ListNumber {
  return String(BigInt(number) + 1n);
}

function numberOf(time: EpochMs, slot: number): ListNumber {
  const bounded = Math.min(Math.max(time, MIN_TIME), MAX_TIME + 1);
  return String(BigInt(bounded) * NUMBERS_PER_MS + BigInt(slot));
}

/** Returns the number for 19 digits that a client sends: more than the last number fits no database. */
export function toListNumber(digits: string): ListNumber {
  return digits < END_NUMBER ? digits : END_NUMBER;
}

/** A position in the list in the order of creation. */
export type ListPosition = { number: ListNumber; shortCode: string };

/** Orders positions. */
export function comparePositions(a: ListPosition, b: ListPosition): number {
  if (a.number !== b.number) return a.number < b.number ? -1 : 1;
  return a.shortCode === b.shortCode ? 0 : a.shortCode < b.shortCode ? -1 : 1;
}
