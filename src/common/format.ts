import { memoize } from './memoize.ts';

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

const sizeFormat = memoize(
  (locale: string, unit: string, unitDisplay: 'long' | 'short', digits: '0' | '1') =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay,
      maximumFractionDigits: Number(digits),
    }),
);

/**
 * Formats a size in powers of 1024, as everywhere in the service: "1.5 MB".
 *
 * @param per `second` for a speed: "1.5 MB/s"
 */
export function formatBytes(bytes: number, locale: string, per?: 'second'): string {
  // "1,006 kB" would be hard to compare with "1 MB".
  const first = BYTE_UNITS.findIndex((_, power) =>
    power === 0 ? bytes < 1024 : Math.round(bytes / 1024 ** power) < 1000,
  );
  const power = first < 0 ? BYTE_UNITS.length - 1 : first;
  const unit = BYTE_UNITS[power] ?? 'byte';
  const value = bytes / 1024 ** power;
  // The short form of a byte has no plural: "2 byte".
  const display = power === 0 ? 'long' : 'short';
  const digits = value < 10 && power > 0 ? '1' : '0';
  return sizeFormat(locale, per ? `${unit}-per-${per}` : unit, display, digits).format(value);
}

/** Returns a number with its noun, in English: "1 entry", "1,200 entries". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

const timeFormat = memoize(
  (locale: string, timeZone: string, seconds: '' | '2-digit') =>
    new Intl.DateTimeFormat(locale, {
      ...{ day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
      ...(seconds !== '' && { second: seconds }),
      ...(timeZone !== '' && { timeZone, timeZoneName: 'short' }),
    }),
);

const utcFormat = memoize(
  (locale: string) =>
    new Intl.DateTimeFormat(locale, {
      ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
      ...{ hourCycle: 'h23', timeZone: 'UTC', timeZoneName: 'short' },
    }),
);

/** Formats a time that readers in any time zone read alike: "7 Dec 2026, 13:13 UTC". */
export const formatUtc = (at: Date, language: string): string =>
  utcFormat(language === 'en' ? 'en-GB' : language).format(at); // American English has the month first

/** Formats a date and time: "15 June 2026 at 13:05 UTC"; without `timeZone` in the reader's own, unnamed. */
export const formatDateTime = (
  at: Date,
  locale: string,
  timeZone = '',
  seconds: '' | '2-digit' = '',
): string => timeFormat(locale, timeZone, seconds).format(at);
