import type { ExportHead } from './exported-items.ts';
import type { EntryBatch, EntryFacts } from './read-line.ts';

/** The position of an entry in its chain, with its time. */
export type Position = { number: number; at: number };

/**
 * `fingerprint` and `newestAt`: of the last entry that the first line counts; undefined unless all up to it are there.
 * `known`: the entry that has the known fingerprint. `isWhole`: each entry could be read, so each fingerprint is known.
 * `fingerprints`: those that the check of checkpoints needs.
 */
export type ChainResult = {
  fingerprint: string | undefined;
  newestAt: number | undefined;
  known: Position | undefined;
  isWhole: boolean;
  fingerprints: Map<number, string>;
};

/** The entries of an export in which nothing is missing, repeated or too much. */
export type WholeChain = { chain: ChainResult; facts: EntryFacts };

/** Fingerprints of entries one after another, each of which covers the one before. `add` takes the text of an entry in UTF-8. */
export type FingerprintChain = {
  add(text: Uint8Array): void;
  has(fingerprint: string): boolean;
  readonly fingerprint: string;
};

/** The numbers of the entries whose fingerprints are needed, and the fingerprint to look for. */
export type Wanted = { numbers: ReadonlySet<number>; fingerprint: string | null };

/** So many entries may be read before those that come before them in the chain. */
const MAX_WAITING = 50_000;

/**
 * Returns a reader of a whole chain from batches of entries that are nearly in the order of their numbers. `add` returns false
 * if the chain is not whole or in another order. `end` returns undefined then.
 */
export function createBatchChain(
  { entryCount }: ExportHead,
  chain: FingerprintChain,
  { numbers: wanted, fingerprint: knownFingerprint }: Wanted,
) {
  const facts: EntryFacts = { files: [], erasedCount: 0 };
  /** Ends of downloads, which are in the line of their attempt. */
  const waiting = new Map<number, { at: number; text: Uint8Array }>();
  const fingerprints = new Map<number, string>();
  let last: Position = { number: 0, at: 0 };
  let known: Position | undefined;
  function take(number: number, at: number, text: Uint8Array): void {
    chain.add(text);
    last = { number, at };
    if (wanted.has(number)) fingerprints.set(number, chain.fingerprint);
    if (knownFingerprint !== null && chain.has(knownFingerprint)) known = last;
  }
  function takeWaiting(): void {
    for (let next = waiting.get(last.number + 1); next; next = waiting.get(last.number + 1)) {
      waiting.delete(last.number + 1);
      take(last.number + 1, next.at, next.text);
    }
  }
  return {
    add({ facts: { files, erasedCount }, numbers, times, ends, texts }: EntryBatch): boolean {
      facts.files.push(...files);
      facts.erasedCount += erasedCount;
      let start = 0;
      for (const [index, number] of numbers.entries()) {
        const [at = 0, end = 0] = [times[index], ends[index]];
        const text = texts.subarray(start, end);
        start = end;
        takeWaiting();
        if (number === last.number + 1) take(number, at, text);
        else if (number <= last.number || waiting.has(number)) return false;
        else waiting.set(number, { at, text: text.slice() });
      }
      return waiting.size <= MAX_WAITING;
    },
    end(): WholeChain | undefined {
      takeWaiting();
      if (waiting.size > 0 || last.number !== entryCount) return undefined;
      const { fingerprint } = chain;
      return { facts, chain: { fingerprint, newestAt: last.at, known, isWhole: true, fingerprints } };
    },
  };
}
