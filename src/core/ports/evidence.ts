import type { ChainHead, EpochMs } from '../model/link.ts';
import type { ReadTile } from '../model/merkle-tree.ts';

/** The newest checkpoint. `note`: with all of its signatures. */
export type SignedTree = {
  note: string;
  size: number;
  /** The checkpoint covers the entries with a fingerprint up to this position in the log. */
  lastSeq: number;
  at: EpochMs;
  /** The key that signed it, and the statements by which earlier keys passed on the log, the oldest first. */
  key: string;
  handovers: string[];
};

/** How far the tree over the log has got. `openLeaves`: the hashes of the leaves after its last complete tile. */
export type TreeState = { size: number; lastSeq: number; openLeaves: string[] };
export type LogTree = TreeState & { signed: SignedTree | null };

/** The hash of a complete tile. `lastSeq`: the position of its last leaf. */
export type NewTile = { level: number; position: number; lastSeq: number; hash: string };

/** The tree of a log, whose leaves are its entries with a fingerprint. */
export interface EvidenceStore {
  /** Returns the tree as it was saved last; null before. */
  readTree(): Promise<LogTree | null>;
  /** Returns a position in the log after the call's beginning: up to it, all entries are committed, and none will be. */
  readSettled(): Promise<number>;
  /** Returns a tree with the next leaves up to a position, and its new tiles. A call reads a bounded number. Saves nothing. */
  growTree(tree: TreeState, until: number): Promise<{ tree: TreeState; tiles: NewTile[]; isDone: boolean }>;
  /** Saves a tree, its tiles and its checkpoint, if the store still has the tree `before`. Returns false otherwise. */
  saveTree(before: LogTree | null, after: LogTree, tiles: readonly NewTile[]): Promise<boolean>;
  /** Returns no hashes of a tile of leaves where entries are not there, as in a detached month. */
  readTile: ReadTile;
  /** Returns how many leaves come before a position in the log. */
  countLeaves(before: number): Promise<number>;
  /**
   * Returns an entry of a link that is at most at a position of the log: the last one, or, where very many came after it,
   * one not long before. Undefined where there is none.
   */
  findCovered(
    shortCode: string,
    head: ChainHead,
    lastSeq: number,
  ): Promise<{ seq: number; number: number; fingerprint: string } | undefined>;
}

/** The key of a log as it is kept, outside the database. */
export type KeptKey = { secret: string; handovers: string[] };

/** Keeps the key of the log, and the newest checkpoint beside it. */
export interface KeyKeeper {
  /** Returns null where there is no key yet. @throws when it cannot be read */
  read(): Promise<KeptKey | null>;
  /** Writes a key where there is none. Returns false where there is one. */
  create(kept: KeptKey): Promise<boolean>;
  /** Replaces the key, whole or not at all. */
  write(kept: KeptKey): Promise<void>;
  /** Returns the newest checkpoint that was noted; null for none. */
  readNewest(): Promise<string | null>;
  writeNewest(note: string): Promise<void>;
  /** Removes the newest checkpoint, also one that cannot be read. */
  removeNewest(): Promise<void>;
}
