import { HOUR_MS } from '../../src/core/model/time-units.ts';

// Charts show the clock of the reader: times of the reader's time zone, written as if they were UTC.

/** Returns what the clock of the reader shows at a time. */
export function toClock(at: Date): Date {
  return new Date(at.getTime() + clockOffsetMs(at));
}

/** Returns when the clock of the reader shows a time; where it shows it twice, the first of both. */
export function fromClock(shown: Date): Date {
  return new Date(shown.toISOString().slice(0, -1)); // without an offset, a text is a local time
}

/** Returns when the first hour of UTC begins at or after a time on the clock of the reader. */
export function ceilToHour(shown: Date): Date {
  return new Date(Math.ceil(fromClock(shown).getTime() / HOUR_MS) * HOUR_MS);
}

/** Returns what the clock of the reader is ahead of UTC at a time. */
export function clockOffsetMs(at: Date): number {
  return -60_000 * at.getTimezoneOffset();
}
