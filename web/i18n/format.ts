import { formatBytes, formatDateTime } from '../../src/common/format.ts';

const SECONDS_OF = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;
type TimeUnit = keyof typeof SECONDS_OF;
type DurationUnit = TimeUnit | 'week' | 'month' | 'year';

export type Format = ReturnType<typeof prepareFormat>;

/**
 * Prepares the formatters of numbers, amounts and dates of a locale, such as `en-GB`. Dates are in the reader's
 * time zone unless named `utc…`.
 *
 * @param justNow the words for the last minute, otherwise those of `Intl`: "now"
 */
export function prepareFormat(locale: string, justNow?: string) {
  const number = new Intl.NumberFormat(locale);
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const list = new Intl.ListFormat(locale);
  const always = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const prepareDate = (options: Intl.DateTimeFormatOptions): ((at: Date) => string) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (at) => format.format(at);
  };
  const day = { day: 'numeric', month: 'short' } as const;
  const hour = { hour: '2-digit', minute: '2-digit' } as const;
  const hourOfDay = prepareDate({ ...hour, timeZone: 'UTC' });

  return {
    number: (value: number) => number.format(value),
    /** Formats a ratio that is given in percent, as in the statistics. */
    percent: (value: number) => percent.format(value / 100),
    /** Formats the last item of several with "and" before it. */
    list: (items: Iterable<string>) => list.format(items),
    change: (value: number) => signed.format(value), // "+3"
    bytes: (bytes: number) => formatBytes(bytes, locale),
    bytesPerSecond: (bytes: number) => formatBytes(bytes, locale, 'second'),
    /** Formats a length of time in one unit: "90 minutes". */
    duration(seconds: number) {
      const unit = timeUnitOf(seconds);
      const value = Math.max(1, Math.round(seconds / SECONDS_OF[unit]));
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
    },
    /** Formats the end of a time that begins now, as the beginning of a text: "In 7 days". */
    fromNow(value: number, unit: DurationUnit) {
      const [first = '', ...rest] = always.format(value, unit);
      return first.toLocaleUpperCase(locale) + rest.join('');
    },
    /** Formats a number of units: "7 days". */
    amount: (value: number, unit: DurationUnit) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
    dateTime: (at: Date) => formatDateTime(at, locale),
    /** Formats a date and time with its zone, for readers who may be in another one. */
    zonedTime: (at: Date) => formatDateTime(at, locale, new Intl.DateTimeFormat().resolvedOptions().timeZone),
    date: prepareDate({ dateStyle: 'medium' }),
    shortDateTime: prepareDate({ dateStyle: 'medium', timeStyle: 'short' }),
    /** The reader's time zone: "Europe/Berlin". */
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    /** Formats a time with its seconds. */
    clock: prepareDate({ timeStyle: 'medium' }),
    /** Formats a date and time with its seconds. The page names the time zone once. */
    time: prepareDate({ dateStyle: 'medium', timeStyle: 'medium' }),
    timeWithOffset: prepareTimeWithOffset(locale, 'medium'),
    shortTimeWithOffset: prepareTimeWithOffset(locale, 'short'),
    utcDate: prepareDate({ dateStyle: 'medium', timeZone: 'UTC' }),
    utcDay: prepareDate({ ...day, timeZone: 'UTC' }),
    utcHour: prepareDate({ ...day, ...hour, timeZone: 'UTC' }),
    hourOfDay: (hour: number) => hourOfDay(new Date(hour * SECONDS_OF.hour * 1000)),
    /** Formats the distance to a point in time, in minutes or more: "in 3 days". */
    relative: prepareRelative(locale, justNow),
  };
}

function prepareRelative(locale: string, justNow?: string) {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return (at: Date, now: Date): string => {
    const seconds = (at.getTime() - now.getTime()) / 1000;
    if (seconds <= 0 && seconds > -SECONDS_OF.minute) return justNow ?? format.format(0, 'second');
    const unit = timeUnitOf(Math.max(Math.abs(seconds), 2 * SECONDS_OF.minute));
    const amount = Math.round(seconds / SECONDS_OF[unit]);
    return format.format(amount === 0 ? 1 : amount, unit); // a time to come may be that close
  };
}

/** Prepares formatting a date and time with its distance from UTC, which readers anywhere understand: "15 Jun 2026, 13:05 UTC+2". */
function prepareTimeWithOffset(locale: string, timeStyle: 'medium' | 'short') {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle });
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' });
  return (at: Date): string => {
    const name = offset.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${format.format(at)}\u00a0${name.replace('GMT', 'UTC').replace(/\+0$/, '')}`;
  };
}

/** Returns the largest unit of which there are at least one and a half: "90 minutes", but "2 hours". */
function timeUnitOf(seconds: number): TimeUnit {
  if (seconds < 90) return 'second';
  if (seconds < 90 * SECONDS_OF.minute) return 'minute';
  return seconds < 36 * SECONDS_OF.hour ? 'hour' : 'day';
}
