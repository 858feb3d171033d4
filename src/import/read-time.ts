import type { EpochMs } from '../links/link.ts';

/** Milliseconds since 1970, as a database without a type for times stores them. */
const MILLISECONDS = /^\d{12,13}$/;

/**
 * Reads a time as exports write it: with an offset, or without one in `timeZone`; with a space or a T before the time of
 * the day, or a date alone. Returns undefined for any other text.
 */
export function readTime(text: string, timeZone: string): EpochMs | undefined {
  if (MILLISECONDS.test(text)) return Number(text);
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return readLocalTime(text, timeZone); // it has no offset
  }
}

function readLocalTime(text: string, timeZone: string): EpochMs | undefined {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    return undefined; // also 0000-00-00, which MySQL writes for none
  }
}
