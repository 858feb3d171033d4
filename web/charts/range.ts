import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import type { Format } from '../i18n/format.ts';
import { ceilToHour, fromClock, toClock } from '../service/clock.ts';
import type { Period, PeriodUnit } from '../service/contract.ts';
import type { Span } from '../service/statistics.ts';
import type { Whose } from '../service/whose.ts';

export const RANGES = ['day', 'week', 'month', 'year', 'dates'] as const;
export type RangeName = (typeof RANGES)[number];
/** The time range shown: a period ending now, or two dates, inclusive, such as `2026-06-15`, or empty. */
export type Range = { name: RangeName; unit: PeriodUnit; from: string; to: string };

const DAYS_BACK = { day: 1, week: 7, month: 30, year: 365 };
/** Longer ranges would have more bars than pixels. */
const MAX_DAYS_BY_HOUR = 31;

/** Returns the text about an error in the dates of a range, or null. */
export function findProblem({ name, from, to }: Range): 'range.missing' | 'range.reversed' | null {
  if (name !== 'dates') return null;
  if (from === '' || to === '') return 'range.missing';
  return from > to ? 'range.reversed' : null;
}

/** Returns the units by which a range may be divided. */
export function unitsOf(range: Range): PeriodUnit[] {
  if (range.name === 'day') return ['hour'];
  return countDays(range) > MAX_DAYS_BY_HOUR ? ['day'] : ['hour', 'day'];
}

function countDays({ name, from, to }: Range): number {
  if (name !== 'dates') return DAYS_BACK[name];
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** Returns the range in whole periods of the reader's clock, so that all statistics cover the same attempts. */
export function toSpan(range: Range, at: Date, zone: string): Span {
  const now = toClock(at);
  const units = unitsOf(range);
  const unit = units.find((each) => each === range.unit) ?? units[0] ?? 'day';
  if (range.name === 'dates') {
    const end = new Date(Date.parse(range.to) + DAY_MS);
    return { start: new Date(range.from), end, unit, zone };
  }
  const end = roundUp(now, unit === 'hour' ? HOUR_MS : DAY_MS);
  // A range of several days starts at midnight, also when divided by hour.
  const from = range.name === 'day' ? end : roundUp(now, DAY_MS);
  return { start: new Date(from.getTime() - DAYS_BACK[range.name] * DAY_MS), end, unit, zone };
}

/** Returns the time of the same length before a range: of one that has not ended, the part that has passed. */
export function spanBefore({ start, end, ...units }: Span, now: Date): Span | undefined {
  const lengthMs = end.getTime() - start.getTime();
  const passed = Math.min(end.getTime(), toClock(now).getTime());
  if (passed <= start.getTime()) return undefined;
  return { ...units, start: new Date(start.getTime() - lengthMs), end: new Date(passed - lengthMs) };
}

function roundUp(at: Date, unitMs: number): Date {
  return new Date((Math.floor(at.getTime() / unitMs) + 1) * unitMs);
}

/** Formats a time range, with its last day included. The page says once of which time zone. */
export function formatSpan({ start, end, unit }: Span, format: Format): string {
  const last = new Date(end.getTime() - 1);
  return unit === 'hour' && end.getTime() - start.getTime() <= DAY_MS
    ? `${format.utcHour(start)} – ${format.utcHour(end)}`
    : `${format.utcDate(start)} – ${format.utcDate(last)}`;
}

/** Returns how much later than on the reader's clock hours begin, because attempts are counted by whole hours of UTC. */
export function delayOf({ start }: Span): number {
  return ceilToHour(start).getTime() - fromClock(start).getTime();
}

/** Adds the periods without attempts, which the API omits. An hour that the clock shows twice is one period. */
export function fillGaps(periods: Period[], { start, end, unit }: Span): Period[] {
  const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS;
  const known = new Map<number, Period>();
  for (const period of periods) {
    const at = Math.floor(Date.parse(period.start) / unitMs) * unitMs;
    known.set(at, addPeriods(known.get(at), { ...period, start: new Date(at).toISOString() }));
  }
  const count = Math.round((end.getTime() - start.getTime()) / unitMs);
  return Array.from({ length: count }, (_, index) => {
    const at = start.getTime() + index * unitMs;
    return known.get(at) ?? { start: new Date(at).toISOString(), ...NO_ATTEMPTS };
  });
}

const NO_ATTEMPTS = { total: 0, success: 0, failed: 0, passwordRequests: 0 };

function addPeriods(former: Period | undefined, period: Period): Period {
  if (!former) return period;
  const sum = (name: keyof typeof NO_ATTEMPTS) => former[name] + period[name];
  return {
    start: former.start,
    ...{ total: sum('total'), success: sum('success'), failed: sum('failed') },
    passwordRequests: sum('passwordRequests'),
  };
}

/** Reads the range from the page's URL, so that it can be bookmarked and shared. */
export function parseRange(query: string, today: Date): Range {
  const parameters = new URLSearchParams(query);
  const date = (name: string) => {
    const text = parameters.get(name) ?? '';
    return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : toDate(toClock(today));
  };
  return {
    name: RANGES.find((name) => name === parameters.get('range')) ?? 'week',
    unit: parameters.get('unit') === 'hour' ? 'hour' : 'day',
    from: date('from'),
    to: date('to'),
  };
}

/** @param links undefined for those that the user sees first */
export function toQuery({ name, unit, from, to }: Range, links: Whose | undefined): string {
  return `?${new URLSearchParams({ range: name, unit, ...(links && { links }), ...(name === 'dates' && { from, to }) })}`;
}

function toDate(at: Date): string {
  return at.toISOString().slice(0, 10);
}
