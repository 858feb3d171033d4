import { describeNumbers } from '../links/check-history.ts';
import type { ExportHead } from './exported-items.ts';

/** The place of an entry in its chain, with its time. */
export type Position = { number: number; at: number };

/** Counts of entries that no fingerprint proves, see `checkSealed` and `checkWithoutLink`. */
export type Unproved = { laterCount: number; withoutLinkCount: number };

/** Returns a sentence for each kind of entries that no fingerprint proves. */
export function describeUnproved({ laterCount, withoutLinkCount }: Unproved): string[] {
  const attempts = `${describeCount(withoutLinkCount, 'attempt', 'attempts')} on the short code before it had a link`;
  const later = `${describeCount(laterCount, 'entry', 'entries')} without a number, newer than the creation of the link`;
  return [
    ...(withoutLinkCount > 0 ? [`Not proved: ${attempts}. No fingerprint covers them.`] : []),
    ...(laterCount > 0
      ? [`Not proved: ${later}. The version before wrote them during an upgrade, or they were inserted.`]
      : []),
  ];
}

/** Returns a sentence about the entries from before the chains, if the export has all of them. */
export function describeSealed({ earlier, filtered }: ExportHead, witness: string | null): string[] {
  if (!earlier || filtered) return [];
  const { entryCount, fingerprint } = earlier;
  return [
    `${describeCount(entryCount, 'entry', 'entries')} from before the fingerprints: unchanged since they were sealed, ` +
      `with the fingerprint ${fingerprint}${witness === null ? '' : ', which --fingerprint does not cover'}.`,
  ];
}

/** Returns what a witness proves. It also holds for an export that differs elsewhere. */
export function describeWitness(witness: string, { number, at }: Position): string {
  return (
    `The fingerprint ${witness} is that of entry ${number}, of ${new Date(at).toISOString()}: ` +
    `${describeNumbers(1, number)} unchanged since you got it`
  );
}

export const NO_WITNESS =
  'Anyone who controls the server could have rewritten the whole history: compare an earlier fingerprint with --fingerprint.';

/** Returns a number with its noun. */
export const describeCount = (number: number, one: string, many: string) =>
  `${number} ${number === 1 ? one : many}`;
