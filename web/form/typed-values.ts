// Reads and formats what users type into fields. What is no value stays as typed: the API returns an error that explains it.

export const MEGABYTE = 1024 ** 2;

/** Returns an integer, or other text as typed. */
export function toNumber(text: string): number | string {
  return /^\s*-?\d+\s*$/.test(text) ? Number(text) : text.trim();
}

/** Returns megabytes as a user types them in bytes, or other text as typed. */
export function toBytes(megabytes: string): number | string {
  const text = megabytes.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * MEGABYTE) : text;
}

/** Formats a time as a `datetime-local` field takes it, in the user's time zone. */
export function toDateField(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, 16);
}

/** Reads the value of a `datetime-local` field. */
export function toInstant(date: string): string {
  const at = new Date(date);
  // The browser's field accepts years that `Date` does not. The API refuses them as typed.
  return Number.isNaN(at.getTime()) ? date : at.toISOString();
}

/** Returns the key of the hint for the start of a link: a time that is over is allowed, and has no effect. */
export function startHint(startsAt: string, now: number): 'startsAt.hint' | 'startsAt.past' {
  return startsAt !== '' && new Date(startsAt).getTime() <= now ? 'startsAt.past' : 'startsAt.hint';
}
