import type { EpochMs } from './link.ts';
import { HOUR_MS } from './time-units.ts';

/** The error text wherever a field or parameter must be an instant. */
export const NOT_AN_INSTANT = 'must be an ISO 8601 date-time with a timezone offset';

/** Bounds the seconds because Temporal reads a leap second's 60 as 59; Temporal bounds everything else. */
const INSTANT_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads `YYYY-MM-DDThh:mm[:ss[.fraction]]` and `Z` or `±hh:mm`, "a real calendar date". Returns undefined for
 * any other text. Exact to the nanosecond: digits of a fraction after the ninth are dropped.
 */
export function parseInstant(text: string): Temporal.Instant | undefined {
  if (!INSTANT_TEXT.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text.replace(/(\.\d{9})\d+/, '$1'));
  } catch {
    return undefined; // Temporal throws for dates such as the 30th of February.
  }
}

/** Adds a duration. Calendar units count in UTC: a month after 31 January is the last of February. */
export function addDuration(start: EpochMs, duration: Temporal.Duration): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('UTC').add(duration)
    .epochMilliseconds;
}

const END_OF_9999 = Date.UTC(10_000, 0) - 1;

/**
 * Returns an instant as ISO 8601 in UTC. After the year 9999 in UTC it has the smallest offset of whole hours that
 * keeps four digits for the year: RFC 3339 and most parsers allow no more.
 */
export function formatInstant(at: EpochMs): string {
  if (at <= END_OF_9999) return new Date(at).toISOString();
  const hours = Math.ceil((at - END_OF_9999) / HOUR_MS);
  const timeZone = hours < 24 ? `-${String(hours).padStart(2, '0')}:00` : '-23:59'; // the largest offset there is
  return Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone, smallestUnit: 'millisecond' });
}

/** Returns an instant as `formatInstant` does; null for none. */
export function toInstant(at: EpochMs | null): string | null {
  return at === null ? null : formatInstant(at);
}
