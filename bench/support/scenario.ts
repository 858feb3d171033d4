import type { Figures } from './figures.ts';

/**
 * How long and how often each measurement is made. `scale` shrinks stores, files and counts of attempts to try
 * a scenario out; goals are judged at 1 only.
 */
export type Effort = { rounds: number; seconds: number; scale: number };

export const MEGABYTE = 1024 * 1024;

export type Unit = 'req/s' | 'attempts/s' | 'hashes/s' | 'MB/s' | 'ratio' | 'µs' | 'ms' | 's' | 'MB' | 'B';

/** What a figure should be at least, or at most for times and memory. */
export type Goal = { atLeast: number } | { atMost: number };

/** One measured figure. */
export type Row = { what: string; figures: Figures; unit: Unit; goal?: Goal };

/** One thing to measure, by the name that it is asked for. */
export type Scenario = { name: string; about: string; run(effort: Effort): Promise<Row[]> };

/** A count at a scale; never nothing. */
export function scaled(count: number, { scale }: Effort): number {
  return Math.max(1, Math.round(count * scale));
}

/** A count as people say it: 10 k, 1 M. */
export function shortCount(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toPrecision(3))} M`;
  return count >= 1_000 ? `${Number((count / 1_000).toPrecision(3))} k` : String(count);
}
