/** Returns an instant in the time zone of the person, to the second. */
export function formatTime(instant: string): string {
  const zoned = Temporal.Instant.from(instant).toZonedDateTimeISO(Temporal.Now.timeZoneId());
  return `${zoned.toPlainDate()} ${zoned.toPlainTime().toString({ smallestUnit: 'second' })}`;
}

/** Returns whether browsers see a confirmation page first. */
export const describeConfirmation = (confirm = false): string =>
  confirm ? 'page shown to browsers first' : 'none';

/** Returns a short code that may be given as the address of its link, on any host. */
export function toShortCode(text: string): string {
  const path = URL.parse(text)?.pathname ?? text;
  return decodeURIComponent(/\/(?:l|links)\/([^/]+)\/?$/.exec(path)?.[1] ?? text);
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const unit = units[power] ?? 'byte';
  const amount = new Intl.NumberFormat('en', { style: 'unit', unit, maximumFractionDigits: 1 });
  return amount.format(bytes / 1000 ** power);
}
