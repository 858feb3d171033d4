// The Merkle tree of RFC 6962 over the fingerprints of the log, in the order of its entries. All hashes are hexadecimal
// digits: the fastest form in which Node returns them, and that of fingerprints.

/** Returns the SHA-256 of bytes, both in lower-case hexadecimal digits. */
export type HashHex = (hex: string) => string;

/** A part of the leaves, `end` not included. */
export type LeafRange = { start: number; end: number };

/** A tile has the hashes of so many subtrees. So a tile of tiles has 65,536 leaves, and so on. */
export const TILE_WIDTH = 256;
const TILE_LEVELS = 8;

/** Returns the hash of a leaf. */
export const toLeafHash = (hash: HashHex, data: string): string => hash(`00${data}`);
const toNodeHash = (hash: HashHex, left: string, right: string): string => hash(`01${left}${right}`);

/** Returns the root of a tree whose leaves, or complete subtrees of one size, have these hashes. */
export function toRoot(hash: HashHex, hashes: readonly string[]): string {
  if (hashes.length === 0) return hash('');
  let level = hashes;
  while (level.length > 1) {
    const next: string[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left = '', right] = [level[index], level[index + 1]];
      next.push(right === undefined ? left : toNodeHash(hash, left, right));
    }
    level = next;
  }
  return level[0] ?? '';
}

/** Returns the largest power of two below a number above 1. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Returns the subtrees whose hashes prove that a tree has a leaf, the nearest first. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  return ranges;
}

/** Returns the subtrees whose hashes prove that a tree begins with the leaves of a smaller one (RFC 6962, 2.1.2). */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  if (from === 0 || from === to) return [];
  const ranges: LeafRange[] = [];
  let [start, end] = [0, to];
  while (end !== from) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  if (start > 0) ranges.unshift({ start, end });
  return ranges;
}

/** Returns the root that a proof gives for a leaf; undefined for one that cannot be of a tree of this size. */
export function rootOfInclusion(
  hash: HashHex,
  leaf: { index: number; hash: string },
  size: number,
  proof: readonly string[],
): string | undefined {
  if (leaf.index >= size) return undefined;
  const ranges = inclusionRanges(leaf.index, size);
  if (ranges.length !== proof.length) return undefined;
  return proof.reduce((root, sibling, index) => {
    const isLeft = (ranges[index]?.start ?? 0) < leaf.index;
    return isLeft ? toNodeHash(hash, sibling, root) : toNodeHash(hash, root, sibling);
  }, leaf.hash);
}

/** A tree, of which only its size and root are known. */
export type TreeHead = { size: number; root: string };

/** Returns whether a proof shows that the tree `to` begins with the leaves of the tree `from`. */
export function isConsistent(
  hash: HashHex,
  { from, to }: { from: TreeHead; to: TreeHead },
  proof: readonly string[],
): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root === to.root;
  if (from.size === 0) return proof.length === 0 && from.root === toRoot(hash, []);
  const ranges = consistencyRanges(from.size, to.size);
  if (ranges.length !== proof.length) return false;
  // The first subtree ends where the smaller tree does. It is that tree itself, where this is complete.
  const isSelf = ranges[0]?.start === from.size;
  const [first = '', ...others] = isSelf ? [from.root, ...proof] : proof;
  const rest = isSelf ? ranges : ranges.slice(1);
  let [ofFrom, ofTo] = [first, first];
  for (const [index, sibling] of others.entries()) {
    if ((rest[index]?.start ?? 0) < from.size) {
      ofFrom = toNodeHash(hash, sibling, ofFrom);
      ofTo = toNodeHash(hash, sibling, ofTo);
    } else ofTo = toNodeHash(hash, ofTo, sibling);
  }
  return ofFrom === from.root && ofTo === to.root;
}

/**
 * Reads the hashes of a tile: of the leaves from 256 times `index` on where `level` is 0, of the tiles with these where it
 * is 1, and so on. The last tile may have fewer than 256.
 */
export type ReadTile = (level: number, index: number) => Promise<readonly string[]>;

/** Thrown when a tile lacks a hash, as where a part of the log is not there. */
export class MissingHashes extends Error {
  override readonly name = 'MissingHashes';
}

/** Returns the hash of a subtree. @throws MissingHashes */
export async function hashRange(hash: HashHex, readTile: ReadTile, range: LeafRange): Promise<string> {
  const { start, end } = range;
  const size = end - start;
  if (size === 0) return toRoot(hash, []);
  const levels = Math.log2(size);
  if (!Number.isInteger(levels) || start % size !== 0) {
    const middle = start + splitOf(size);
    const left = await hashRange(hash, readTile, { start, end: middle });
    return toNodeHash(hash, left, await hashRange(hash, readTile, { start: middle, end }));
  }
  const level = Math.floor(levels / TILE_LEVELS);
  const count = 2 ** (levels % TILE_LEVELS);
  const first = start / TILE_WIDTH ** level;
  const tile = await readTile(level, Math.floor(first / TILE_WIDTH));
  const hashes = tile.slice(first % TILE_WIDTH, (first % TILE_WIDTH) + count);
  if (hashes.length < count) throw new MissingHashes(`the tree lacks hashes of the entries from ${start} on`);
  return toRoot(hash, hashes);
}

/** Returns the hashes of subtrees. Reads each tile once. */
export async function hashRanges(
  hash: HashHex,
  readTile: ReadTile,
  ranges: readonly LeafRange[],
): Promise<string[]> {
  const tiles = new Map<string, ReturnType<ReadTile>>();
  const readOnce: ReadTile = (level, index) => {
    const key = `${level}/${index}`;
    const reading = tiles.get(key) ?? readTile(level, index);
    tiles.set(key, reading);
    return reading;
  };
  const hashes: string[] = [];
  for (const range of ranges) hashes.push(await hashRange(hash, readOnce, range));
  return hashes;
}
