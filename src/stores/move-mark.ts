import type { EpochMs } from '../core/model/link.ts';
import type { Query } from './sql/query.ts';

/** The mark of the move into a store. The move is unfinished while `finishedAt` is null. */
export type MoveMark = { description: string; finishedAt: EpochMs | null };

/** The statements of the mark, for every store. `$1` is the id of one run of a move. */
export const MOVE_MARK = {
  select: 'SELECT move AS description, finished_at AS "finishedAt" FROM move_mark',
  insert: 'INSERT INTO move_mark (only_row, progress, move) VALUES (1, $1, $2)',
  /** Sets `finished_at`, or with null only locks the mark until the end of the transaction. */
  update: `UPDATE move_mark SET finished_at = $2 WHERE progress = $1 AND finished_at IS NULL
           RETURNING only_row`,
  deleteUnfinished: 'DELETE FROM move_mark WHERE finished_at IS NULL RETURNING only_row',
};

/** Returns the mark of the move into a store, or null when there was none. */
export async function readMoveMark(query: Query): Promise<MoveMark | null> {
  const [mark = null] = await query<MoveMark>(MOVE_MARK.select);
  return mark;
}

/** Throws when a move into a store is unfinished, so that no service opens it. */
export async function assertNoUnfinishedMove(query: Query): Promise<void> {
  const mark = await readMoveMark(query);
  if (mark === null || mark.finishedAt !== null) return;
  throw new Error(
    `A move into this store is unfinished, so it lacks links or records. It came ${mark.description}. ` +
      'Run the same `postern move` with --restart: it empties this store and copies everything again. ' +
      'To give the move up, delete this store and start the service on the one that it came from.',
  );
}

/** Throws when a statement found no mark of this run. */
export function assertMarkFound(rows: readonly unknown[]): void {
  if (rows.length > 0) return;
  throw new Error('another move into this store has started: let only one run, and start it with --restart');
}
