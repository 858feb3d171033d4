import type { EpochMs } from './link.ts';

/**
 * Returns a UUIDv7 of a time: 48 bits of its milliseconds, then the random bits of a UUIDv4, whose variant it shares
 * (RFC 9562, 5.4 and 5.7). As the id of an attempt or a change it sorts by time, which makes its table append-only
 * and the key an index of time.
 */
export function uuidV7(at: EpochMs, uuidV4: string): string {
  return timeOf(at) + uuidV4.slice(15);
}

const MAX_COUNT = 0xfff;

/**
 * Returns a function that makes the ids of a process. Those of one millisecond sort in the order of the calls: a counter
 * takes the place of 12 random bits (RFC 9562, 6.2, method 1), and distinguishes them, so that they share the other 62.
 * From the 4,096th on each has its own, and they are in no order.
 */
export function createUuidV7Source(randomUuid: () => string): (at: EpochMs) => string {
  let countedAt: EpochMs | undefined;
  let count = 0;
  let random = '';
  return (at) => {
    count = at === countedAt ? Math.min(count + 1, MAX_COUNT) : 0;
    countedAt = at;
    if (count === 0 || count === MAX_COUNT) random = randomUuid().slice(18);
    return timeOf(at) + count.toString(16).padStart(3, '0') + random;
  };
}

/** Returns whether a UUID in lower case is a UUIDv7 of a time. */
export const isUuidV7Of = (at: EpochMs, uuid: string): boolean => uuid[14] === '7' && timeOfUuid(uuid) === at;

/** Returns the milliseconds in an id. */
export function timeOfUuid(id: string): EpochMs {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

let lastAt = Number.NaN;
let lastTime = '';

/** Returns the time in an id, formatted once per millisecond: under load dozens of ids share one. */
function timeOf(at: EpochMs): string {
  if (at !== lastAt) {
    const time = at.toString(16).padStart(12, '0');
    lastTime = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    lastAt = at;
  }
  return lastTime;
}
