import type { EpochMs } from '../links/link.ts';

// The place of a link in the list is a number that grows with the time of its creation, and that its other columns
// give: so no table has to map one to the other. Links of one millisecond nearly always differ in it; the short code
// decides the order where they do not.

/** With a time until the year 2109, the number is an exact integer in JavaScript. */
const NUMBERS_PER_MS = 2_048;

/** Returns the place of a link in the order of creation. */
export function listNumberOf(createdAt: EpochMs, shortCode: string): number {
  let hash = 0;
  for (let index = 0; index < shortCode.length; index++) hash = (hash * 31 + shortCode.charCodeAt(index)) | 0;
  return createdAt * NUMBERS_PER_MS + ((hash >>> 0) % NUMBERS_PER_MS);
}

/** Returns the least number of links that were created at a time or later. */
export function firstNumberAt(time: EpochMs): number {
  return time * NUMBERS_PER_MS;
}

/** Returns the time at which a link was created. */
export function timeOfNumber(number: number): EpochMs {
  return Math.floor(number / NUMBERS_PER_MS);
}
