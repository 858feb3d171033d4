import type { EpochMs } from './link.ts';

/** The operator's limits on the restrictions of new links. Null sets no limit. */
export type LinkPolicy = Readonly<{
  /** The longest lifetime, also of a link created without `expiresAt`. */
  maxTtl: Temporal.Duration | null;
  /** The most views, also of a link created without `maxViews`. */
  maxViews: number | null;
  passwordRequired: boolean;
}>;

/** Returns the end of a lifetime. Calendar units count in UTC: P1M after 31 January is the last of February. */
export function addTtl(start: EpochMs, ttl: Temporal.Duration): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('UTC').add(ttl).epochMilliseconds;
}
