import type { EpochMs } from './link.ts';

/**
 * Returns a UUIDv7 of a time: 48 bits of its milliseconds, then the random bits of a UUIDv4, whose variant it shares
 * (RFC 9562, 5.4 and 5.7). As the id of an attempt or a change it sorts by time, which makes its table append-only
 * and the key an index of time.
 */
export function uuidV7(at: EpochMs, uuidV4: string): string {
  return timeOf(at) + uuidV4.slice(15);
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
