/** A time with its offset, as the API takes it, or with a space in place of the T. */
const INSTANT =
  /^(?<time>\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?<offset>Z|[+-]\d{2}:?\d{2})$/i;
/** A time in the time zone of this computer, as spreadsheets write it. */
const LOCAL_TIME = /^(?<day>\d{4}-\d{2}-\d{2})[T ](?<time>\d{1,2}:\d{2}(?::\d{2})?)$/i;
const DURATION = /^(?<amount>\d{1,6})(?<unit>[mhdw])$/;

const MINUTE_MS = 60_000;
const UNITS_MS = new Map([
  ['m', MINUTE_MS],
  ['h', 60 * MINUTE_MS],
  ['d', 24 * 60 * MINUTE_MS],
  ['w', 7 * 24 * 60 * MINUTE_MS],
]);

/** The forms that `readTime` reads, as examples. */
export const TIME_FORMS = '2026-12-31 18:00, 2026-12-31T18:00+01:00 or 7d';

/**
 * Reads a local time, a time with its offset, or a duration from now. Returns an instant as the API takes it, or
 * undefined for any other text. A day alone is none: it would leave open whether the link works on that day.
 */
export function readTime(text: string, now: number): string | undefined {
  const { amount, unit } = DURATION.exec(text)?.groups ?? {};
  if (unit) return toText(now + Number(amount) * (UNITS_MS.get(unit) ?? 0));
  if (!isDay(text.slice(0, 10))) return undefined;
  const { time, offset } = INSTANT.exec(text)?.groups ?? {};
  if (time && offset) {
    const colon = offset.replace(/^(.\d{2})(\d{2})$/, '$1:$2');
    return toText(Date.parse(`${time.replace(' ', 'T')}${colon}`.toUpperCase()));
  }
  const local = LOCAL_TIME.exec(text)?.groups;
  return local && toText(Date.parse(`${local['day']}T${local['time']?.replace(/^\d:/, '0$&')}`));
}

function toText(at: number): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Returns true for a day that exists, such as `2026-06-15`. A `Date` takes the 31st of February for the 3rd of March. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && toText(Date.parse(`${text}T00:00Z`))?.startsWith(text) === true;
}
