import { describeNumbers } from '../links/check-history.ts';

/** The place of an entry in its chain, with its time. */
export type Position = { number: number; at: number };

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
