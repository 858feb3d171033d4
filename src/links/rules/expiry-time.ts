import type { EpochMs } from '../link.ts';
import { accept, type Parsed, refuse } from './parsed.ts';

const FIELD = 'expiresAt';

/** Told wherever an instant is expected and something else was sent. */
export const NOT_AN_INSTANT = 'must be an ISO 8601 date-time with a timezone offset';

/** The seconds are bounded here because Temporal takes a leap second's 60 for 59; it bounds all the rest. */
const INSTANT_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads `YYYY-MM-DDThh:mm[:ss[.fraction]]` and `Z` or `±hh:mm`, "a real calendar date"; undefined for anything
 * else. It is exact to the nanosecond; what a fraction tells beyond its ninth digit is cut off.
 */
export function parseInstant(text: string): Temporal.Instant | undefined {
  if (!INSTANT_TEXT.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text.replace(/(\.\d{9})\d+/, '$1'));
  } catch {
    return undefined; // Temporal has no way but throwing to tell that there is no 30th of February.
  }
}

/**
 * "ISO 8601 with timezone offset; must be in the future." Gives the instant floored to the millisecond.
 *
 * The floor keeps the rule of expiry exact: as `now` is a whole number of milliseconds, `now` is later than
 * the instant just when it is later than the instant's floor.
 */
export function parseExpiresAt(value: unknown, now: EpochMs): Parsed<EpochMs> {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined) return refuse(FIELD, NOT_AN_INSTANT);
  if (Temporal.Instant.compare(instant, Temporal.Instant.fromEpochMilliseconds(now)) <= 0) {
    return refuse(FIELD, 'must be a future date');
  }
  return accept(instant.epochMilliseconds);
}
