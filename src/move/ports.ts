import type { LinkedFile } from '../links/compare-files.ts';
import type { EpochMs } from '../links/link.ts';
import type { MovedTable, Row } from './tables.ts';

/** A store that is read while no service uses it. The move never writes to it. */
export type MoveSource = {
  /** The store's name in messages, without a password. */
  readonly place: string;
  /** All data except what follows from others, in the order in which it is moved. */
  readonly tables: readonly MovedTable[];
  /** Reads at most `limit` rows after the key `after` (null: from the first), ordered by key. */
  readRows(table: MovedTable, after: Row | null, limit: number): Promise<Row[]>;
  /** Counts links and entries of the log. `lastSeq`: the place of the newest entry; 0 without one. */
  measure(): Promise<{ links: number; entries: number; lastSeq: number }>;
  /** Reads at most `limit` files of links after the id `after` (null: from the first), ordered by id. */
  readLinkedFiles(after: string | null, limit: number): Promise<LinkedFile[]>;
  /** Adds up the bytes of all files of links. */
  sumFileBytes(): Promise<number>;
  close(): Promise<void>;
};

/** The mark of the move into a store. The move is unfinished while `finishedAt` is null. */
export type MoveMark = { description: string; finishedAt: EpochMs | null };

/** A store that a move writes to. From `begin` to `finish` it bears a mark, and no service opens it. */
export type MoveTarget = MoveSource & {
  /** Returns the mark of the move into this store, or null when there was none. */
  readMark(): Promise<MoveMark | null>;
  /** Marks the store as the target of a new move. Throws when it bears a mark already. */
  begin(description: string): Promise<void>;
  /** Commits rows. Throws when the store bears the mark of another move. */
  writeRows(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** Rebuilds the projections, once all rows are written. */
  rebuild(progress: ProgressReporter): Promise<void>;
  /** Deletes all rows and the mark. Throws when there is no mark of an unfinished move. */
  clear(): Promise<void>;
  /** Opens the store to services. Throws when it bears the mark of another move. */
  finish(at: EpochMs): Promise<void>;
};

/** One step of a move. `total` is undefined for a step that takes no time. */
export type ProgressStep = { label: string; unit: 'rows' | 'bytes'; total: number | undefined };

/** Shows how far a move is. */
export type ProgressReporter = {
  begin(step: ProgressStep): { update(done: number): void; end(): void };
};
