import { hashHex } from '../../model/ed25519.ts';
import type { ChainHead } from '../../model/link.ts';
import {
  consistencyRanges,
  hashRanges,
  inclusionRanges,
  type LeafRange,
  MissingHashes,
  type ReadTile,
  rootOfInclusion,
  TILE_WIDTH,
  toLeafHash,
} from '../../model/merkle-tree.ts';
import { formatConsistency, formatProof, parseCheckpoint } from '../../model/signed-note.ts';
import type { EvidenceStore, LogTree } from '../../ports/evidence.ts';

/** Returns the tiles of a tree. Its last leaves are those of the tree as it was read. */
export function readTileOf({ readTile }: EvidenceStore, { size, openLeaves }: LogTree): ReadTile {
  const open = Math.floor(size / TILE_WIDTH);
  return async (level, index) => (level === 0 && index === open ? openLeaves : readTile(level, index));
}

/** Returns hashes of the tree; undefined where a part of the log is not there. */
async function readHashes(evidence: EvidenceStore, tree: LogTree, ranges: readonly LeafRange[]) {
  try {
    return await hashRanges(hashHex, readTileOf(evidence, tree), ranges);
  } catch (error) {
    if (error instanceof MissingHashes) return undefined;
    throw error;
  }
}

/**
 * The newest checkpoint with the proof that it covers a link up to the entry `number`. `proof` has the checkpoint, see
 * https://c2sp.org/tlog-proof.
 */
export type CheckpointOfLink = { number: number; proof: string; key: string; handovers: string[] };

/**
 * Returns the newest checkpoint of a link; null before the first, where the month of the entry is detached, and where the
 * entries give another root than the signed one: who checks a wrong proof would take the history for a changed one.
 */
export async function proveEntry(
  evidence: EvidenceStore,
  shortCode: string,
  head: ChainHead,
): Promise<CheckpointOfLink | null> {
  const tree = await evidence.readTree();
  if (!tree?.signed) return null;
  const { note, size, lastSeq, key, handovers } = tree.signed;
  const covered = await evidence.findCovered(shortCode, head, lastSeq);
  if (!covered) return null;
  const index = await evidence.countLeaves(covered.seq);
  const hashes = await readHashes(evidence, tree, inclusionRanges(index, size));
  if (!hashes) return null;
  const { number, fingerprint } = covered;
  const leaf = { index, hash: toLeafHash(hashHex, fingerprint) };
  if (rootOfInclusion(hashHex, leaf, size, hashes) !== parseCheckpoint(note)?.root) return null;
  return { number, proof: formatProof({ shortCode, number, index, hashes, signed: note }), key, handovers };
}

/** Why there is no proof: for sizes without a checkpoint, and where a part of the log is not there, as in a detached month. */
export type NoProof = 'NO_CHECKPOINT' | 'ENTRIES_DETACHED';

/** Returns the hashes that show that the tree of one size begins with that of a smaller one. */
export async function readConsistency(
  evidence: EvidenceStore,
  from: number,
  to: number,
): Promise<string[] | NoProof> {
  const tree = await evidence.readTree();
  const newest = tree?.signed?.size ?? 0;
  if (!tree || ![from, to].every(Number.isSafeInteger)) return 'NO_CHECKPOINT';
  if (!(0 <= from && from <= to && to <= newest)) return 'NO_CHECKPOINT';
  return (await readHashes(evidence, tree, consistencyRanges(from, to))) ?? 'ENTRIES_DETACHED';
}

/** Returns the same as a text, by default up to the newest checkpoint. */
export async function proveConsistency(
  evidence: EvidenceStore,
  from: number,
  to: number | null,
): Promise<{ text: string } | NoProof> {
  const end = to ?? (await evidence.readTree())?.signed?.size ?? 0;
  const hashes = await readConsistency(evidence, from, end);
  return typeof hashes === 'string' ? hashes : { text: formatConsistency({ from, to: end, hashes }) };
}
