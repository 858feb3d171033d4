import type { Entry } from '../service/history.ts';

/** What a sentence about the fingerprint must say of the entries. */
export type Coverage = {
  /** Some entries are from before the fingerprints, so no fingerprint covers them. */
  hasUncovered: boolean;
  /** Some ends of downloads are entries of their own, although the list shows them with their attempt. */
  hasDownloadEnds: boolean;
};

export function toCoverage(entries: readonly Entry[]): Coverage {
  return {
    hasUncovered: entries.some(({ number }) => number === null),
    hasDownloadEnds: entries.some((entry) => entry.kind === 'ATTEMPT' && entry.download !== null),
  };
}
