import type { EpochMs } from '../links/link.ts';
import type { MovedTable, Row } from './tables.ts';

/** A store that is read out while nothing else uses it. Nothing of it is ever written. */
export type MoveSource = {
  /** The store in words that may be shown, without a password. */
  readonly place: string;
  /** At most `limit` rows whose keys come after `after` (null: from the first), in the order of their keys. */
  readRows(table: MovedTable, after: Row | null, limit: number): Promise<Row[]>;
  /** At most `limit` files of links whose ids come after `after` (null: from the first), in an order of this store. */
  readLinkedFiles(after: string | null, limit: number): Promise<LinkedFile[]>;
  /** Those of these files that belong to a link. */
  knownFiles(fileIds: readonly string[]): Promise<Set<string>>;
  /** How many files links have, and how large they are together. */
  countLinkedFiles(): Promise<{ files: number; bytes: number }>;
  /** The mark of the move that this store is the target of; null when there was none. */
  readMark(): Promise<MoveMark | null>;
  close(): Promise<void>;
};
export type LinkedFile = { fileId: string; sizeBytes: number; shortCode: string };

/** A store that is filled. */
export type MoveTarget = MoveSource & {
  /** Marks the store as the target of a move that begins; fails where it has a mark. */
  begin(mark: { move: string; progress: string }): Promise<void>;
  /**
   * Commits rows together with the progress that they are, or nothing. Fails where the progress is not `from` any
   * more: then somebody else is moving into this store.
   */
  writeRows(table: MovedTable, rows: readonly Row[], progress: { from: string; to: string }): Promise<void>;
  /** Lets services use the store. */
  finish(at: EpochMs): Promise<void>;
};

/** What stands in the target of a move: which one it is, how far it has got, and when it was over. */
export type MoveMark = { move: string; progress: string; finishedAt: EpochMs | null };

/** What a service that opens a store throws when it finds the mark of a move that is not over. */
export function refuseUnfinishedMove(mark: MoveMark | null): void {
  if (mark === null || mark.finishedAt !== null) return;
  throw new Error(
    `A move into this store has begun and is not finished, so it lacks links or records. It came ${mark.move}. ` +
      'Run the same `npm run move` again: it goes on where it broke off. ' +
      'To give it up, empty this store and go on with the one that it came from.',
  );
}

/** What `writeRows` throws when its progress is not the store's. */
export function movedMeanwhile(): Error {
  return new Error(
    'another move is writing into this store at the same time, or its mark was changed: let only one run, ' +
      'and if none does, empty the store and begin again',
  );
}
