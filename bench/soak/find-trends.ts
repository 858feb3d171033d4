import { quantile } from '../support/figures.ts';
import type { Sample } from './samples.ts';

/** The development of a figure: its medians over the first and the last quarter of a soak. */
export type Trend = { what: keyof Sample; first: number; last: number; isJudged: boolean; isFlat: boolean };

const MAX_GROWTH = 1.1;
/** The judged figures, and by how much each may grow besides: files and connections are just being opened or closed. */
const JUDGED: Partial<Record<keyof Sample, number>> = { residentBytes: 0, descriptors: 10, threads: 0 };

/** Compares the quarters of the samples that follow the warm-up. */
export function findTrends(samples: readonly Sample[]): Trend[] {
  const [sample] = samples;
  if (!sample || samples.length < 4) throw new RangeError(`${samples.length} samples have no quarters`);
  const quarter = Math.floor(samples.length / 4);
  const medianOf = (part: readonly Sample[], what: keyof Sample) =>
    quantile(
      part.map((each) => each[what]),
      0.5,
    );
  // The keys of a sample are those of its type.
  return (Object.keys(sample) as (keyof Sample)[]).map((what) => {
    const first = medianOf(samples.slice(0, quarter), what);
    const last = medianOf(samples.slice(-quarter), what);
    const slack = JUDGED[what];
    const isFlat = last <= first * MAX_GROWTH + (slack ?? 0);
    return { what, first, last, isJudged: slack !== undefined, isFlat };
  });
}

/** The number of actions that were skipped or sent again, and their share of all. */
export type Share = { what: 'skipped' | 'resent'; count: number; share: number; isSmall: boolean };

/** More means that the service was too slow for the load, or closes connections that are in use. */
const MAX_SHARE = 0.01;

/** Counts what the load did not do, or did twice, in the samples that follow the warm-up. */
export function findShares(samples: readonly Sample[]): Share[] {
  const sumOf = (what: keyof Sample) => samples.reduce((sum, sample) => sum + sample[what], 0);
  return (['skipped', 'resent'] as const).map((what) => {
    const share = sumOf(what) / sumOf('actions');
    return { what, count: sumOf(what), share, isSmall: share <= MAX_SHARE };
  });
}
