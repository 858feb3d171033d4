import type { DatabaseSync } from 'node:sqlite';
import { MOVE_MARK, type MoveMark } from '../move-mark.ts';

/** Returns the mark of the move into this store, or null when there was none. */
export function readMoveMark(db: DatabaseSync): MoveMark | null {
  const row = db.prepare(MOVE_MARK.select.text).get();
  return (row as MoveMark | undefined) ?? null; // the row has the columns that the statement names
}
