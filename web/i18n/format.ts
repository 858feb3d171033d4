/** How a language writes dates, numbers and amounts. */
export type Format = {
  number(value: number): string;
  /** A ratio given in percent, as the service gives it. */
  percent(percent: number): string;
  /** Bytes in powers of 1024, as the service counts them. */
  bytes(bytes: number): string;
  bytesPerSecond(bytesPerSecond: number): string;
  /** A length of time, in the one unit that tells it best. */
  duration(seconds: number): string;
  /** A point in time, in the reader's time zone. */
  dateTime(at: Date): string;
  date(at: Date): string;
  time(at: Date): string;
  /** A time with its seconds. */
  clock(at: Date): string;
  /** The next are in UTC, as the service counts: a date with its year, a day, an hour of a day, an hour of any day. */
  utcDate(at: Date): string;
  utcDay(at: Date): string;
  utcHour(at: Date): string;
  hourOfDay(hour: number): string;
  /** How far a point in time is from now: "in 3 days". */
  relative(at: Date, now: Date): string;
};

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const SECONDS_OF = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;
type TimeUnit = keyof typeof SECONDS_OF;

/** Takes the tag of a language, such as `en-GB`. */
export function prepareFormat(language: string): Format {
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const utcDate = inUtc({ dateStyle: 'medium' });
  const utcDay = inUtc({ day: 'numeric', month: 'short' });
  const utcHour = inUtc({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
  const hourOfDay = inUtc({ hour: '2-digit', minute: '2-digit' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

  function inUnit(value: number, unit: string): string {
    const maximumFractionDigits = value < 10 && unit !== 'byte' ? 1 : 0;
    return new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits,
    }).format(value);
  }

  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value / 100),
    bytes(bytes) {
      const { value, unit } = inByteUnit(bytes);
      return inUnit(value, unit);
    },
    bytesPerSecond(bytes) {
      const { value, unit } = inByteUnit(bytes);
      return inUnit(value, `${unit}-per-second`);
    },
    duration(seconds) {
      const unit = timeUnitOf(seconds);
      return inUnit(Math.max(1, Math.round(seconds / SECONDS_OF[unit])), unit);
    },
    dateTime: (at) => dateTime.format(at),
    date: (at) => date.format(at),
    time: (at) => time.format(at),
    clock: (at) => clock.format(at),
    utcDate: (at) => utcDate.format(at),
    utcDay: (at) => utcDay.format(at),
    utcHour: (at) => utcHour.format(at),
    hourOfDay: (hour) => hourOfDay.format(hour * SECONDS_OF.hour * 1000),
    relative(at, now) {
      const seconds = (at.getTime() - now.getTime()) / 1000;
      const unit = timeUnitOf(Math.abs(seconds));
      return relative.format(Math.round(seconds / SECONDS_OF[unit]), unit);
    },
  };
}

function inByteUnit(bytes: number): { value: number; unit: string } {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return { value: bytes / 1024 ** power, unit: BYTE_UNITS[power] ?? 'byte' };
}

/** The largest unit of which there are at least one and a half: "90 minutes", but "2 hours". */
function timeUnitOf(seconds: number): TimeUnit {
  if (seconds < 90) return 'second';
  if (seconds < 90 * SECONDS_OF.minute) return 'minute';
  return seconds < 36 * SECONDS_OF.hour ? 'hour' : 'day';
}
