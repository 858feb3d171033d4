import type { Period, PeriodUnit, Span } from '../service/statistics.ts';

/** What time the figures are of: so far back from now, or from one UTC date to another, both included. */
export const RANGES = ['day', 'week', 'month', 'year', 'dates'] as const;
export type RangeName = (typeof RANGES)[number];
/** `from` and `to` are as a field of the browser gives them, `2026-06-15`, or empty. */
export type Range = { name: RangeName; unit: PeriodUnit; from: string; to: string };

export type RangeFault = 'MISSING' | 'REVERSED';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_BACK = { day: 1, week: 7, month: 30, year: 365 } as const satisfies Record<
  Exclude<RangeName, 'dates'>,
  number
>;
/** More bars than pixels tell nobody anything. */
const MOST_DAYS_BY_HOUR = 31;

/** What is wrong with the dates, if anything is. */
export function faultOf({ name, from, to }: Range): RangeFault | null {
  if (name !== 'dates') return null;
  if (from === '' || to === '') return 'MISSING';
  return from > to ? 'REVERSED' : null;
}

/** How long each period of the range may be: by hour where they are few, by day where there is more than one. */
export function unitsOf(range: Range): PeriodUnit[] {
  if (range.name === 'day') return ['hour'];
  return daysOf(range) > MOST_DAYS_BY_HOUR ? ['day'] : ['hour', 'day'];
}

function daysOf({ name, from, to }: Range): number {
  if (name !== 'dates') return DAYS_BACK[name];
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** The range in whole periods, so that every figure is of the same attempts. */
export function spanOf(range: Range, now: Date): Span {
  const units = unitsOf(range);
  const unit = units.find((each) => each === range.unit) ?? units[0] ?? 'day';
  if (range.name === 'dates') {
    const end = new Date(Date.parse(range.to) + DAY_MS);
    return { start: new Date(range.from), end, unit };
  }
  const end = ceilTo(unit === 'hour' ? HOUR_MS : DAY_MS, now);
  // A range of days begins with a day, also where it is told by the hour.
  const from = range.name === 'day' ? end : ceilTo(DAY_MS, now);
  return { start: new Date(from.getTime() - DAYS_BACK[range.name] * DAY_MS), end, unit };
}

function ceilTo(unitMs: number, at: Date): Date {
  return new Date((Math.floor(at.getTime() / unitMs) + 1) * unitMs);
}

/** Every period of the span, also those that the service leaves out because nothing happened. */
export function fillGaps(periods: Period[], { start, end, unit }: Span): Period[] {
  const known = new Map(periods.map((period) => [Date.parse(period.start), period]));
  const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS;
  const count = Math.round((end.getTime() - start.getTime()) / unitMs);
  return Array.from({ length: count }, (_, index) => {
    const at = start.getTime() + index * unitMs;
    return known.get(at) ?? { start: new Date(at).toISOString(), total: 0, success: 0, failed: 0 };
  });
}

/** The range that an address names, so that it can be kept and sent on. */
export function rangeFrom(query: string, today: Date): Range {
  const parameters = new URLSearchParams(query);
  const date = (name: string) => {
    const text = parameters.get(name) ?? '';
    return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : toDate(today);
  };
  return {
    name: RANGES.find((name) => name === parameters.get('range')) ?? 'week',
    unit: parameters.get('unit') === 'hour' ? 'hour' : 'day',
    from: date('from'),
    to: date('to'),
  };
}

export function toQuery({ name, unit, from, to }: Range): string {
  return `?${new URLSearchParams({ range: name, unit, ...(name === 'dates' && { from, to }) })}`;
}

function toDate(at: Date): string {
  return at.toISOString().slice(0, 10);
}
