import { describeNumbers } from '../links/check-history.ts';
import type { ExportHead } from './exported-items.ts';

/** Where an entry stands in its chain. */
export type Position = { number: number; at: number };

/** How many entries nothing proves, see `checkSealed` and `checkWithoutLink`. */
export type Unproved = { laterCount: number; withoutLinkCount: number };

/** Says what nothing proves. */
export function describeUnproved({ laterCount, withoutLinkCount }: Unproved): string[] {
  const attempts = `${count(withoutLinkCount, 'attempt', 'attempts')} on the short code before it had a link`;
  const later = `${count(laterCount, 'entry', 'entries')} without a number, newer than the creation of the link`;
  return [
    ...(withoutLinkCount > 0 ? [`Not proved: ${attempts}. No fingerprint covers them.`] : []),
    ...(laterCount > 0
      ? [`Not proved: ${later}. The version before wrote them during an upgrade, or they were inserted.`]
      : []),
  ];
}

/** Says what is known of the entries from before the chains. */
export function describeSealed({ earlier, filtered }: ExportHead, witness: string | null): string[] {
  if (!earlier || filtered) return [];
  const { entryCount, fingerprint } = earlier;
  return [
    `${count(entryCount, 'entry', 'entries')} from before the fingerprints: unchanged since they were sealed, ` +
      `with the fingerprint ${fingerprint}${witness === null ? '' : ', which --fingerprint does not cover'}.`,
  ];
}

/** Says what a witness proves, also of an export that differs elsewhere. */
export function describeWitness(witness: string, { number, at }: Position): string {
  return (
    `The fingerprint ${witness} is that of entry ${number}, of ${new Date(at).toISOString()}: ` +
    `${describeNumbers(1, number)} unchanged since you got it`
  );
}

export const NO_WITNESS =
  'Whoever controls the server could have rewritten the whole history: compare an earlier fingerprint with --fingerprint.';

/** Returns a number with its noun. */
export const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
