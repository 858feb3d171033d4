import { randomUUID } from 'node:crypto';
import type { EpochMs } from '../../core/model/link.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { assertMarkFound, MOVE_MARK, type MoveMark, readMoveMark } from '../move-mark.ts';
import { isEmpty, MOVED_TABLES, type MovedTable, type Row } from './moved-tables.ts';
import { type Commit, type Dialect, insertInto, type Query } from './query.ts';
import { PROJECTION_TABLES } from './rebuild.ts';

/** A store that a move writes to. From `begin` to `finish` it bears a mark, and no service opens it. */
export type MoveTarget = {
  /** Returns the mark of the move into this store, or null when there was none. */
  readMark(): Promise<MoveMark | null>;
  isEmpty(): Promise<boolean>;
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
  close(): Promise<void>;
};

/**
 * Returns the operations of a store that a move writes to.
 *
 * @param target.prepareRows is called in the transaction that writes rows, before them
 */
export function createMoveTarget(
  target: Pick<MoveTarget, 'rebuild' | 'close'> & {
    query: Query;
    dialect: Dialect;
    commit: Commit;
    prepareRows?: (query: Query, table: MovedTable, rows: readonly Row[]) => Promise<void>;
  },
): MoveTarget {
  const { query, dialect, commit, rebuild, close } = target;
  const run = JSON.stringify({ run: randomUUID() });
  return {
    ...{ rebuild, close },
    readMark: () => readMoveMark(query),
    isEmpty: () => isEmpty(query),
    begin: (description) => commit(async (query) => void (await query(MOVE_MARK.insert, [run, description]))),
    writeRows: (table, rows) =>
      commit(async (query) => {
        assertMarkFound(await query(MOVE_MARK.update, [run, null]));
        await target.prepareRows?.(query, table, rows);
        await query(insertInto(table.name, table.columns, dialect), dialect.values(table.columns, rows));
      }),
    clear: () =>
      commit(async (query) => {
        assertMarkFound(await query(MOVE_MARK.deleteUnfinished));
        for (const table of [...MOVED_TABLES.map(({ name }) => name), ...PROJECTION_TABLES])
          await query(`DELETE FROM ${table}`);
      }),
    finish: (at) => commit(async (query) => assertMarkFound(await query(MOVE_MARK.update, [run, at]))),
  };
}
