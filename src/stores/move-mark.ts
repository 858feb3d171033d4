import type { EpochMs } from '../core/model/link.ts';
import type { Query } from './sql/query.ts';

/** The mark of the move into a store. The move is unfinished while `finishedAt` is null. */
export type MoveMark = { description: string; finishedAt: EpochMs | null };

/** Returns the mark of the move into a store, or null when there was none. */
export async function readMoveMark(query: Query): Promise<MoveMark | null> {
  const [mark = null] = await query<MoveMark>(
    'SELECT move AS description, finished_at AS "finishedAt" FROM move_mark',
  );
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
