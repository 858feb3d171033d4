import { formatBytes, formatDateTime } from '../../src/i18n/format.ts';

/** Formats numbers, amounts and dates in one language. Dates are in the reader's time zone unless named `utc…`. */
export type Format = {
  number(value: number): string;
  /** Formats a ratio that is given in percent, as in the statistics. */
  percent(percent: number): string;
  bytes(bytes: number): string;
  bytesPerSecond(bytesPerSecond: number): string;
  /** Formats a length of time in one unit: "90 minutes". */
  duration(seconds: number): string;
  dateTime(at: Date): string;
  date(at: Date): string;
  time(at: Date): string;
  /** Formats a time with its seconds. */
  clock(at: Date): string;
  /** Formats a date with its year, in UTC like the statistics. */
  utcDate(at: Date): string;
  /** Formats a day and a month. */
  utcDay(at: Date): string;
  /** Formats a day, a month and an hour. */
  utcHour(at: Date): string;
  hourOfDay(hour: number): string;
  /** Formats the distance to a point in time: "in 3 days". */
  relative(at: Date, now: Date): string;
};

const SECONDS_OF = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;
type TimeUnit = keyof typeof SECONDS_OF;

/** Prepares the formatters of a locale, such as `en-GB`. */
export function prepareFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const prepareDate = (options: Intl.DateTimeFormatOptions): ((at: Date) => string) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (at) => format.format(at);
  };
  const hourOfDay = prepareDate({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value / 100),
    bytes: (bytes) => formatBytes(bytes, locale),
    bytesPerSecond: (bytes) => formatBytes(bytes, locale, 'second'),
    duration(seconds) {
      const unit = timeUnitOf(seconds);
      const value = Math.max(1, Math.round(seconds / SECONDS_OF[unit]));
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
    },
    dateTime: (at) => formatDateTime(at, locale),
    date: prepareDate({ dateStyle: 'medium' }),
    time: prepareDate({ timeStyle: 'short' }),
    clock: prepareDate({ timeStyle: 'medium' }),
    utcDate: prepareDate({ dateStyle: 'medium', timeZone: 'UTC' }),
    utcDay: prepareDate({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
    utcHour: prepareDate({
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'UTC',
    }),
    hourOfDay: (hour) => hourOfDay(new Date(hour * SECONDS_OF.hour * 1000)),
    relative(at, now) {
      const seconds = (at.getTime() - now.getTime()) / 1000;
      const unit = timeUnitOf(Math.abs(seconds));
      return relative.format(Math.round(seconds / SECONDS_OF[unit]), unit);
    },
  };
}

/** Returns the largest unit of which there are at least one and a half: "90 minutes", but "2 hours". */
function timeUnitOf(seconds: number): TimeUnit {
  if (seconds < 90) return 'second';
  if (seconds < 90 * SECONDS_OF.minute) return 'minute';
  return seconds < 36 * SECONDS_OF.hour ? 'hour' : 'day';
}
