import type { EpochMs } from '../../links/link.ts';
import type { TimeRange } from '../../links/ports.ts';
import { HOUR_MS } from '../../links/time-units.ts';
import { idsOf } from './id-range.ts';

/** Numbers from `start` up to, not including, `end`: milliseconds, hours or days since 1970-01-01 in UTC. */
export type Span = Readonly<{ start: number; end: number }>;

export const HOURS_PER_DAY = 24;
const NOTHING: Span = { start: 0, end: 0 };

const MAX_ID_TIME = 2 ** 48 - 1;

/**
 * A range of time in milliseconds, the whole hours in it, and what is left of it before and after them, in
 * milliseconds.
 */
export type RangeParts = { whole: Span; hours: Span; edges: readonly [Span, Span] };

/** Splits a range. One within an hour has no whole hours, and its times are in the first edge. */
export function splitRange({ start, end }: TimeRange): RangeParts {
  const [from, until] = [toIdTime(start ?? 0), end === null ? MAX_ID_TIME + 1 : toIdTime(end)];
  const whole = from < until ? { start: from, end: until } : NOTHING;
  const first = Math.ceil(from / HOUR_MS);
  const last = end === null ? Math.ceil(until / HOUR_MS) : Math.floor(until / HOUR_MS);
  if (first > last) return { whole, hours: NOTHING, edges: [{ start: from, end: until }, NOTHING] };
  return {
    whole,
    hours: { start: first, end: last },
    edges: [
      { start: from, end: first * HOUR_MS },
      { start: last * HOUR_MS, end: Math.max(until, last * HOUR_MS) },
    ],
  };
}

/** Returns the hours that have any part of a span of milliseconds. */
export function hoursOf({ start, end }: Span): Span {
  return { start: Math.floor(start / HOUR_MS), end: Math.ceil(end / HOUR_MS) };
}

/** Returns the spans of hours before and after some days, or all hours if there are no days. */
export function spansAround(days: Span, { start, end }: Span): Span[] {
  const spans =
    days.start < days.end
      ? [
          { start, end: days.start * HOURS_PER_DAY },
          { start: days.end * HOURS_PER_DAY, end },
        ]
      : [{ start, end }];
  return spans.filter((span) => span.start < span.end);
}

/** Splits hours into whole days, and the hours before and after them. */
export function splitHours({ start, end }: Span): { days: Span; edges: readonly [Span, Span] } {
  const [first, last] = [Math.ceil(start / HOURS_PER_DAY), Math.floor(end / HOURS_PER_DAY)];
  if (first >= last) return { days: NOTHING, edges: [{ start, end }, NOTHING] };
  return {
    days: { start: first, end: last },
    edges: [
      { start, end: first * HOURS_PER_DAY },
      { start: last * HOURS_PER_DAY, end },
    ],
  };
}

/** Audit records of a span of milliseconds, whose counts are added or subtracted. */
type Correction = Span & { sign: 1 | -1 };

/** Days, hours and audit records whose counts add up to those of a range. */
export type CountedSpans = {
  days: Span;
  hours: readonly [Span, Span];
  audit: readonly [Correction, Correction];
};

/**
 * Splits a range for counts that can be added up. Of an hour that is partly in the range, the shorter side is read from
 * the audit: more than half of an hour is the whole hour without the rest.
 */
export function splitForCounts({ hours: wholeHours, edges: [before, after] }: RangeParts): CountedSpans {
  const isMore = ({ start, end }: Span) => end - start > HOUR_MS / 2;
  const { start, end } = wholeHours;
  // Within one hour, the range is the first edge, and there is no whole hour next to it.
  const fromHour = isMore(before) && before.end === start * HOUR_MS ? start - 1 : start;
  const toHour = isMore(after) ? end + 1 : end;
  const { days } = splitHours(wholeHours);
  const [first = NOTHING, second = NOTHING] = spansAround(days, { start: fromHour, end: toHour });
  return {
    days,
    hours: [first, second],
    audit: [
      fromHour < start ? { start: fromHour * HOUR_MS, end: before.start, sign: -1 } : { ...before, sign: 1 },
      toHour > end ? { start: after.end, end: toHour * HOUR_MS, sign: -1 } : { ...after, sign: 1 },
    ],
  };
}

/**
 * Returns at most `count` spans that cover the given ones, which are in order and disjoint. Those with the smallest gaps
 * between them are joined.
 */
export function joinSpans(spans: readonly Span[], count: number): Span[] {
  const gaps = spans
    .slice(1)
    .map(({ start }, index) => ({ index, gap: start - (spans[index]?.end ?? start) }));
  const kept = new Set(
    gaps
      .filter(({ gap }) => gap > 0)
      .sort((a, b) => b.gap - a.gap)
      .slice(0, count - 1)
      .map(({ index }) => index),
  );
  const joined: Span[] = [];
  let start: number | undefined;
  for (const [index, span] of spans.entries()) {
    start ??= span.start;
    if (!kept.has(index) && index < spans.length - 1) continue;
    joined.push({ start, end: span.end });
    start = undefined;
  }
  return joined;
}

/** Returns the ids that bound the audit records of a span of milliseconds. */
export function idBounds({ start, end }: Span): [Uint8Array, Uint8Array] {
  const ids = idsOf({ start, end: end > MAX_ID_TIME ? null : end });
  return [ids.first, ids.end];
}

function toIdTime(time: EpochMs): EpochMs {
  return Math.min(Math.max(time, 0), MAX_ID_TIME);
}
