import { randomUUID } from 'node:crypto';
import type { EpochMs } from '../../core/model/link.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { readMoveMark } from '../move-mark.ts';
import { isEmpty, MOVED_TABLES, type MovedTable, type Row } from './moved-tables.ts';
import { type Commit, type Dialect, insertInto, type Query } from './query.ts';
import { PROJECTION_TABLES } from './rebuild.ts';

/** `$1` is the id of one run of a move. */
const INSERT_MARK = 'INSERT INTO move_mark (only_row, progress, move) VALUES (1, $1, $2)';
/** Sets `finished_at`, or with null only locks the mark until the end of the transaction. */
const UPDATE_MARK = `UPDATE move_mark SET finished_at = $2 WHERE progress = $1 AND finished_at IS NULL
                     RETURNING only_row`;
const DELETE_UNFINISHED = 'DELETE FROM move_mark WHERE finished_at IS NULL RETURNING only_row';

/** The steps that differ between the engines. `prepareRows` is called in the transaction that writes rows, before them. */
type Engine = {
  query: Query;
  dialect: Dialect;
  commit: Commit;
  prepareRows?: (query: Query, table: MovedTable, rows: readonly Row[]) => Promise<void>;
  /** Rebuilds the projections, once all rows are written. */
  rebuild: (progress: ProgressReporter) => Promise<void>;
  close: () => Promise<void>;
};

/** A store that a move writes to. From `begin` to `finish` it bears a mark, and no service opens it. */
export type MoveTarget = ReturnType<typeof createMoveTarget>;

/** Returns the operations of a store that a move writes to. */
export function createMoveTarget({ query, dialect, commit, prepareRows, rebuild, close }: Engine) {
  const run = JSON.stringify({ run: randomUUID() });
  return {
    ...{ rebuild, close },
    readMark: () => readMoveMark(query),
    isEmpty: () => isEmpty(query),
    /** Marks the store as the target of a new move. Throws when it bears a mark already. */
    begin: (description: string) =>
      commit(async (query) => void (await query(INSERT_MARK, [run, description]))),
    /** Commits rows. Throws when the store bears the mark of another move. */
    writeRows: (table: MovedTable, rows: readonly Row[]) =>
      commit(async (query) => {
        assertMarkFound(await query(UPDATE_MARK, [run, null]));
        await prepareRows?.(query, table, rows);
        await query(insertInto(table.name, table.columns, dialect), dialect.values(table.columns, rows));
      }),
    /** Deletes all rows and the mark. Throws when there is no mark of an unfinished move. */
    clear: () =>
      commit(async (query) => {
        assertMarkFound(await query(DELETE_UNFINISHED));
        for (const table of [...MOVED_TABLES.map(({ name }) => name), ...PROJECTION_TABLES])
          await query(`DELETE FROM ${table}`);
      }),
    /** Opens the store to services. Throws when it bears the mark of another move. */
    finish: (at: EpochMs) => commit(async (query) => assertMarkFound(await query(UPDATE_MARK, [run, at]))),
  };
}

/** Throws when a statement found no mark of this run. */
function assertMarkFound(rows: readonly unknown[]): void {
  if (rows.length > 0) return;
  throw new Error('another move into this store has started: let only one run, and start it with --restart');
}
