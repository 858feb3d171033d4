import type { EpochMs } from '../model/link.ts';
import type { LinkedFile } from '../model/stored-file.ts';

/** A store that is read while no service uses it. The move never writes to it. */
export type MoveSource = {
  /** The store's name in messages, without a password. */
  readonly name: string;
  /** All data except what follows from others, in the order in which it is moved. */
  readonly tables: readonly MovedTable[];
  /** Reads at most `limit` rows after the key `after` (null: from the first), ordered by key. */
  readRows(table: MovedTable, after: Row | null, limit: number): Promise<Row[]>;
  /** Counts links and entries of the log. `lastSeq`: the position of the newest entry; 0 without one. */
  measure(): Promise<{ links: number; entries: number; lastSeq: number }>;
  /** Reads at most `limit` files of links after the id `after` (null: from the first), ordered by id. */
  readLinkedFiles(after: string | null, limit: number): Promise<LinkedFile[]>;
  /** Returns the ids of uploads without a link, and of files that were taken from their links. */
  readUploads(): Promise<string[]>;
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

/** A value in the form that every store understands: a truth is 0 or 1; a UUID and bytes are lower-case hexadecimal digits. */
export type Value = string | number | null;

export type ColumnKind = 'text' | 'integer' | 'truth' | 'uuid' | 'bytes';

/** A row in the form that every store understands: the values of the table's columns, in their order. */
export type Row = readonly Value[];

/**
 * A table that is moved. Its first `keyColumns` columns are its key, in whose order it is read; texts are
 * ordered by their bytes.
 */
export type MovedTable = Readonly<{
  name: string;
  keyColumns: number;
  columns: Readonly<Record<string, ColumnKind>>;
}>;

/** Returns the columns of a table's key with their kinds. */
export function keyColumns(table: MovedTable): [string, ColumnKind][] {
  return Object.entries(table.columns).slice(0, table.keyColumns);
}

/** Returns the key of a row. */
export function keyOf(table: MovedTable, row: Row): Row {
  return row.slice(0, table.keyColumns);
}
