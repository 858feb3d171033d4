import { DAY_MS } from '../../src/links/time-units.ts';
import type { Format } from '../i18n/format.ts';
import type { Span } from '../service/statistics.ts';

/** Formats a time range, with its last day included. */
export function spanText({ start, end, unit }: Span, format: Format): string {
  const last = new Date(end.getTime() - 1);
  return unit === 'hour' && end.getTime() - start.getTime() <= DAY_MS
    ? `${format.utcHour(start)} – ${format.utcHour(end)} UTC`
    : `${format.utcDate(start)} – ${format.utcDate(last)}`;
}
