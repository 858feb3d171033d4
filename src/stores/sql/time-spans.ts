import type { EpochMs } from '../../links/link.ts';
import type { TimeRange } from '../../links/ports.ts';
import { HOUR_MS } from '../../links/time-units.ts';
import { idsOf } from './id-range.ts';

/** Numbers from `start` up to, not including, `end`: milliseconds, hours or days since 1970-01-01 in UTC. */
export type Span = Readonly<{ start: number; end: number }>;

export const HOURS_PER_DAY = 24;
const NOTHING: Span = { start: 0, end: 0 };

const MAX_ID_TIME = 2 ** 48 - 1;

/** A range of time in whole hours, and what is left of it before and after them, in milliseconds. */
export type RangeParts = { hours: Span; edges: readonly [Span, Span] };

/** Splits a range. One within an hour has no whole hours, and its times are in the first edge. */
export function splitRange({ start, end }: TimeRange): RangeParts {
  const [from, until] = [toIdTime(start ?? 0), end === null ? MAX_ID_TIME + 1 : toIdTime(end)];
  const first = Math.ceil(from / HOUR_MS);
  const last = end === null ? Math.ceil(until / HOUR_MS) : Math.floor(until / HOUR_MS);
  if (first > last) return { hours: NOTHING, edges: [{ start: from, end: until }, NOTHING] };
  return {
    hours: { start: first, end: last },
    edges: [
      { start: from, end: first * HOUR_MS },
      { start: last * HOUR_MS, end: Math.max(until, last * HOUR_MS) },
    ],
  };
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
