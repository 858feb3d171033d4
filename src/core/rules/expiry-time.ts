import { addDuration, NOT_AN_INSTANT, parseInstant } from '../model/instant.ts';
import type { EpochMs } from '../model/link.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';

const FIELD = 'expiresAt';

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

/** Reads a time, such as that from which on a link opens. */
export const instantOf =
  (field: string) =>
  (value: unknown): Parsed<EpochMs> => {
    const at = typeof value === 'string' ? parseInstant(value)?.epochMilliseconds : undefined;
    return at === undefined ? refuse(field, 'INVALID_DATE_TIME', NOT_AN_INSTANT) : accept(at);
  };
