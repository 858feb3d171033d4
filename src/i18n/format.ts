const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

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
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: per ? `${unit}-per-${per}` : unit,
    // The short form of a byte has no plural: "2 byte".
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  }).format(value);
}

/** Formats a date and time: "15 June 2026 at 13:05 UTC"; without `timeZone` in the reader's own, unnamed. */
export function formatDateTime(at: Date, locale: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...(timeZone && { timeZone, timeZoneName: 'short' }),
  }).format(at);
}
