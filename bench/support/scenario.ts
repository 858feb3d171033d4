import type { Figures } from './figures.ts';

/**
 * The length and the number of the measurements. `scale` shrinks stores, files and counts of
 * attempts to try a scenario out; goals are checked at 1 only.
 */
export type Effort = {
  rounds: number;
  seconds: number;
  scale: number;
  /** The directory of another checkout, whose service replaces the baseline where a scenario supports it. */
  against?: string | undefined;
  /** True if the service asks for keys and applies every limit, where a scenario supports it. */
  isGuarded?: boolean;
};

/** A change may cost this much of the rate of the service before it. */
export const MIN_RATIO_AGAINST = 0.97;

export const MEGABYTE = 1024 * 1024;

export type Unit =
  | 'req/s'
  | 'attempts/s'
  | 'records/s'
  | 'links/s'
  | 'hashes/s'
  | 'MB/s'
  | 'ratio'
  | 'µs'
  | 'ms'
  | 's'
  | 'MB'
  | 'B';

/** The bound that a figure should meet: at least for rates, at most for times and memory. */
export type Goal = { atLeast: number } | { atMost: number };

/** One line of the result. */
export type Row = { what: string; figures: Figures; unit: Unit; goal?: Goal };

/** A benchmark, by its name on the command line. */
export type Scenario = { name: string; about: string; run(effort: Effort): Promise<Row[]> };

/** Returns a count at a scale, at least 1. */
export function scaled(count: number, { scale }: Effort): number {
  return Math.max(1, Math.round(count * scale));
}

/** Returns a count in short form: 10 k, 1 M. */
export function shortCount(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toPrecision(3))} M`;
  return count >= 1_000 ? `${Number((count / 1_000).toPrecision(3))} k` : String(count);
}
