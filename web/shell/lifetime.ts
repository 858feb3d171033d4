import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import type { Format } from '../i18n/format.ts';

/** The units of an ISO 8601 duration in order, with their length; those of months and years are the shortest. */
const UNITS = [
  ['year', 365 * DAY_MS],
  ['month', 28 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const DURATION =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Reads an ISO 8601 duration as a number of each of its units. Not every browser has `Temporal`. */
function amountsIn(duration: string) {
  const [, ...values] = DURATION.exec(duration) ?? [];
  return UNITS.map(([unit, ms], index) => ({ value: Number(values[index] ?? 0), unit, ms })).filter(
    ({ value }) => value > 0,
  );
}

/** Formats an ISO 8601 duration: "1 month 12 hours". */
export function formatLifetime(duration: string, format: Format): string {
  return amountsIn(duration)
    .map(({ value, unit }) => format.amount(value, unit))
    .join(' ');
}

/** Formats the end of an ISO 8601 duration that begins now: "In 30 days"; one of several units without "In". */
export function formatEnd(duration: string, format: Format): string {
  const [first, ...more] = amountsIn(duration);
  return first && more.length === 0
    ? format.fromNow(first.value, first.unit)
    : formatLifetime(duration, format);
}

/** Returns true when a lifetime is certainly shorter than an ISO 8601 duration. */
export function isShorter(ttlMs: number, duration: string): boolean {
  return ttlMs < amountsIn(duration).reduce((total, { value, ms }) => total + value * ms, 0);
}
