import type { EpochMs } from '../link.ts';
import { HOUR_MS } from '../time-units.ts';
import { accept, type FieldError, type Parsed, refuse } from './parsed.ts';

const FIELD = 'expiresAt';

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

/**
 * "ISO 8601 with timezone offset; must be in the future." Returns the instant floored to the millisecond.
 *
 * The floor keeps the expiry exact: `now` is a whole number of milliseconds, so it is later than the instant
 * exactly when it is later than the instant's floor.
 *
 * @param maxTtl the administrator's limit, if there is one
 */
export function parseExpiresAt(
  value: unknown,
  now: EpochMs,
  maxTtl: Temporal.Duration | null = null,
): Parsed<EpochMs> {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined) return refuse(FIELD, 'INVALID_DATE_TIME', NOT_AN_INSTANT);
  if (Temporal.Instant.compare(instant, Temporal.Instant.fromEpochMilliseconds(now)) <= 0)
    return refuse(FIELD, 'NOT_A_FUTURE_DATE', 'must be a future date');
  const expiresAt = instant.epochMilliseconds;
  if (maxTtl !== null && expiresAt > addDuration(now, maxTtl)) return expiryTooLate(maxTtl);
  return accept(expiresAt);
}

/** Refuses an end after the administrator's limit, or none at all. */
export function expiryTooLate(maxTtl: Temporal.Duration): Parsed<never> {
  return refuse(FIELD, 'EXPIRY_TOO_LATE', `must be at most ${maxTtl} from now`, { max: maxTtl.toString() });
}

/** Reads from when on a link opens. */
export function parseStartsAt(value: unknown): Parsed<EpochMs> {
  const startsAt = typeof value === 'string' ? parseInstant(value)?.epochMilliseconds : undefined;
  return startsAt === undefined ? refuse('startsAt', 'INVALID_DATE_TIME', NOT_AN_INSTANT) : accept(startsAt);
}

/** Returns the error of a link that would start when it is over; undefined for any other. */
export function checkStart(startsAt: EpochMs | null, expiresAt: EpochMs | null): FieldError | undefined {
  if (startsAt === null || expiresAt === null || startsAt < expiresAt) return undefined;
  return { field: 'startsAt', code: 'STARTS_AFTER_EXPIRY', text: 'must be before the link expires' };
}
