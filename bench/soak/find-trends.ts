import type { Figure } from '../../test/drive/report.ts';
import { quantile } from '../support/figures.ts';
import type { Sample } from './samples.ts';

const MEBIBYTE = 1024 ** 2;
const MAX_GROWTH = 1.1;
/** The judged figures, and by how much each may grow besides: files and connections are just being opened or closed. */
const JUDGED: Partial<Record<keyof Sample, number>> = { residentBytes: 0, descriptors: 10, threads: 0 };

/** Compares the median of the last quarter of the samples, which follow the warm-up, with that of the first. */
export function findTrends(samples: readonly Sample[]): Figure[] {
  const [sample] = samples;
  if (!sample || samples.length < 4) throw new RangeError(`${samples.length} samples have no quarters`);
  const quarter = Math.floor(samples.length / 4);
  // The keys of a sample are those of its type.
  return (Object.keys(sample) as (keyof Sample)[]).map((what) => {
    const isBytes = what.endsWith('Bytes');
    const scale = isBytes ? MEBIBYTE : 1;
    const medianOf = (part: readonly Sample[]) =>
      quantile(
        part.map((each) => each[what] / scale),
        0.5,
      );
    const first = medianOf(samples.slice(0, quarter));
    const slack = JUDGED[what];
    return {
      what: `${what}, at first ${first.toFixed(1)}`,
      value: medianOf(samples.slice(-quarter)),
      unit: isBytes ? 'MiB' : 'count',
      ...(slack !== undefined && { atMost: first * MAX_GROWTH + slack }),
    };
  });
}

/** More means that the service was too slow for the load, or closes connections that are in use. */
const MAX_PERCENT = 1;

/** Counts what the load did not do, or did twice, in the samples that follow the warm-up. */
export function findShares(samples: readonly Sample[]): Figure[] {
  const sumOf = (what: keyof Sample) => samples.reduce((sum, sample) => sum + sample[what], 0);
  return (['skipped', 'resent'] as const).map((what) => ({
    what: `${what}: ${sumOf(what)}, of all actions`,
    value: (sumOf(what) / sumOf('actions')) * 100,
    unit: '%',
    atMost: MAX_PERCENT,
  }));
}
