import { FORMAT, type Sha256 } from './hashed-text.ts';
import type { ChainHead } from './link.ts';

/** Entries at which the numbers of a chain are not 1, 2, 3 and so on. */
export type ChainBreak =
  | { kind: 'MISSING'; first: number; last: number }
  | { kind: 'REPEATED'; number: number };

const EMPTY = { entryCount: 0, fingerprint: '' };

/** Returns a reader of one chain, which takes the entries after `start` in the order of their numbers. */
export function createChainReader(
  sha256: Sha256,
  start: Pick<ChainHead, 'entryCount' | 'fingerprint'> = EMPTY,
) {
  let lastNumber = start.entryCount;
  let fingerprint: string | undefined = start.fingerprint;
  return {
    /**
     * Adds an entry. Returns the break before it; undefined if its number is the next one.
     *
     * @param text that its fingerprint covers; undefined for an unknown format, of which `stored` is the fingerprint
     */
    add(number: number, text: string | undefined, stored?: string | null): ChainBreak | undefined {
      const expected = lastNumber + 1;
      lastNumber = number;
      if (number === expected) {
        if (text === undefined) fingerprint = stored ?? undefined;
        else if (fingerprint !== undefined) fingerprint = sha256(fingerprint + text);
        return undefined;
      }
      fingerprint = undefined;
      return number < expected
        ? { kind: 'REPEATED', number }
        : { kind: 'MISSING', first: expected, last: number - 1 };
    },
    /** The greatest number so far. */
    get lastNumber() {
      return lastNumber;
    },
    /** The fingerprint of the last entry; empty before the first, undefined after a break. */
    get fingerprint() {
      return fingerprint;
    },
  };
}

export function describeBreak(found: ChainBreak): string {
  return found.kind === 'REPEATED'
    ? `entry ${found.number} is there twice: one of them was inserted or renumbered`
    : `${describeNumbers(found.first, found.last)} missing: removed or renumbered`;
}

/** Returns numbers of entries with their verb. */
export function describeNumbers(first: number, last: number): string {
  return first === last ? `entry ${first} is` : `entries ${first} to ${last} are`;
}

/** Describes a format that is unknown, as the end of a sentence about its entry. */
export function describeFormat(format: number): string {
  const meaning = format > FORMAT ? 'is newer than this program knows' : 'no program writes: it was changed';
  return `has format ${format}, which ${meaning}`;
}

export const PARTLY_ERASED = 'has personal fields, although they were erased: it was changed';
