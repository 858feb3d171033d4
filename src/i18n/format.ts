const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/**
 * Formats a size in powers of 1024, as everywhere in the service: "1.5 MB".
 *
 * @param per `second` for a speed: "1.5 MB/s"
 */
export function formatBytes(bytes: number, locale: string, per?: 'second'): string {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
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
