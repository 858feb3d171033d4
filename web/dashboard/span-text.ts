import type { Format } from '../i18n/format.ts';
import type { Span } from '../service/statistics.ts';

/** What time figures are of, as people write it: both ends included. */
export function spanText({ start, end, unit }: Span, format: Format): string {
  const last = new Date(end.getTime() - 1);
  return unit === 'hour' && end.getTime() - start.getTime() <= 86_400_000
    ? `${format.utcHour(start)} – ${format.utcHour(end)} UTC`
    : `${format.utcDate(start)} – ${format.utcDate(last)}`;
}
