import type { HashHex } from '../../../model/merkle-tree.ts';
import {
  type Checkpoint,
  COSIGNATURE,
  type ConsistencyProof,
  type LogProof,
  PROOF,
  parseCheckpoint,
  parseConsistency,
  parseProof,
  parseVerifierKey,
  type VerifierKey,
} from '../../../model/signed-note.ts';

/** What a reader kept is shorter: a checkpoint, proof or key has a few hundred characters. */
export const MAX_KEPT_LENGTH = 1_000_000;

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

/** Reads the texts that a reader kept, with an empty line after each. */
export function readKept(hash: HashHex, text: string): KeptEvidence {
  const kept: KeptEvidence = {
    ...{ keys: [], witnesses: [], checkpoints: [], proofs: [], consistency: [] },
    isWhole: true,
    isTooLong: text.length > MAX_KEPT_LENGTH,
  };
  if (kept.isTooLong) return kept;
  const lines = text.split('\n').map((line) => line.trim());
  const paragraphs = lines
    .join('\n')
    .trim()
    .split(/\n{2,}/);
  const rest = paragraphs.filter((each) => each !== '');
  let next = 0;
  const take = (count: number): string => {
    next += count;
    return `${rest.slice(next - count, next).join('\n\n')}\n`;
  };
  while (next < rest.length) {
    const first = rest[next]?.split('\n') ?? [];
    const keys = first.flatMap((line) => parseVerifierKey(hash, line) ?? []);
    if (keys.length === first.length) {
      next += 1;
      for (const key of keys) (key.type === COSIGNATURE ? kept.witnesses : kept.keys).push(key);
    } else if (first[0] === PROOF) addTo(kept, kept.proofs, parseProof(take(3)));
    else if (first[0]?.startsWith('old '))
      addTo(kept, kept.consistency, parseConsistency(take(1).trim().split('\n')));
    else addTo(kept, kept.checkpoints, parseCheckpoint(take(2)));
  }
  return kept;
}

function addTo<T>(kept: KeptEvidence, list: T[], read: T | undefined): void {
  if (read === undefined) kept.isWhole = false;
  else list.push(read);
}
