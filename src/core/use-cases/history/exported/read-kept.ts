import type { HashHex } from '../../../model/merkle-tree.ts';
import {
  type Checkpoint,
  COSIGNATURE,
  type ConsistencyProof,
  type LogProof,
  PROOF,
  parseCheckpoint,
  parseConsistency,
  parseHash,
  parseProof,
  parseSize,
  parseVerifierKey,
  type VerifierKey,
} from '../../../model/signed-note.ts';

/** What a reader kept is shorter: a checkpoint, proof or key has a few hundred characters. */
export const MAX_KEPT_LENGTH = 1_000_000;

/** A signature or key is shorter. */
const MAX_JOINED_LENGTH = 500;

/** What a reader kept. `isWhole`: false if a part of the text is none of these. `isTooLong`: nothing of it was read. */
export type KeptEvidence = {
  keys: VerifierKey[];
  witnesses: VerifierKey[];
  checkpoints: Checkpoint[];
  proofs: LogProof[];
  consistency: ConsistencyProof[];
  isWhole: boolean;
  isTooLong: boolean;
};

/**
 * Reads the texts that a reader kept, one after another. Empty lines may be missing, and long lines be broken, as in what is
 * copied from a PDF.
 */
export function readKept(hash: HashHex, text: string): KeptEvidence {
  const kept: KeptEvidence = {
    ...{ keys: [], witnesses: [], checkpoints: [], proofs: [], consistency: [] },
    isWhole: true,
    isTooLong: text.length > MAX_KEPT_LENGTH,
  };
  if (kept.isTooLong) return kept;
  const lines = joinBroken(
    hash,
    text.split('\n').flatMap((line) => toLine(line) ?? []),
  );
  const endOf = (start: number, isPart: (line: string) => boolean): number => {
    let end = start;
    while (end < lines.length && isPart(lines[end] ?? '')) end += 1;
    return end;
  };
  /** Adds what the lines from `start` to `end` are. Returns where the next text begins. */
  const add = <T>(list: T[], read: T | undefined, start: number, end: number): number => {
    if (read !== undefined) list.push(read);
    else kept.isWhole = false;
    return read === undefined ? start + 1 : end;
  };
  for (let start = 0; start < lines.length; ) {
    const first = lines[start] ?? '';
    const key = parseVerifierKey(hash, first);
    const isProof = first === PROOF;
    if (key) {
      start = add(key.type === COSIGNATURE ? kept.witnesses : kept.keys, key, start, start + 1);
    } else if (first.startsWith('old ')) {
      const end = endOf(start + 2, isHash);
      start = add(kept.consistency, parseConsistency(lines.slice(start, end)), start, end);
    } else {
      const begin = isProof ? endOf(start + 3, isHash) : start;
      const body = begin + 3;
      const end = parseSize(lines[begin + 1] ?? '') === undefined ? body : endOf(body, isSignature);
      const signed = `${lines.slice(begin, body).join('\n')}\n\n${lines.slice(body, end).join('\n')}\n`;
      const proof = `${lines.slice(start, begin).join('\n')}\n\n${signed}`;
      start = isProof
        ? add(kept.proofs, parseProof(proof), start, end)
        : add(kept.checkpoints, parseCheckpoint(signed), start, end);
    }
  }
  return kept;
}

/** Returns a line without what copying changes; undefined for an empty one. */
function toLine(line: string): string | undefined {
  const words = line.trim().replaceAll(/\s+/g, ' ');
  return words === '' ? undefined : words.replace(/^[-‒–—―]+ /, '— ');
}

const isSignature = (line: string): boolean => line.startsWith('— ');
const isHash = (line: string): boolean => parseHash(line) !== undefined;

/** Joins the lines of signatures, which end in `=`, and of keys. */
function joinBroken(hash: HashHex, lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1) ?? '';
    const isCut =
      last.length < MAX_JOINED_LENGTH &&
      (isSignature(last) ? !last.endsWith('=') : /\+[0-9a-f]{8}\+[A-Za-z0-9+/]{0,43}$/.test(last));
    const isRest = /^[A-Za-z0-9+/]{1,103}={0,2}$/.test(line) && !parseVerifierKey(hash, line);
    if (isCut && isRest && !parseVerifierKey(hash, last))
      joined.splice(-1, 1, last + (/^— \S+$/.test(last) ? ' ' : '') + line);
    else joined.push(line);
  }
  return joined;
}
