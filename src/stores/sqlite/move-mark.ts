import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';
import { type MoveMark, movedMeanwhile } from '../../move/ports.ts';

/** The mark of the move that a store is the target of; null when there was none. */
export function readMoveMark(db: DatabaseSync): MoveMark | null {
  const row = db.prepare('SELECT move, progress, finished_at AS finishedAt FROM move_mark').get();
  return (row as MoveMark | undefined) ?? null;
}

/** The operations of the mark. */
export function prepareMoveMark(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO move_mark (only_row, move, progress) VALUES (1, ?, ?)');
  const advance = db.prepare('UPDATE move_mark SET progress = ? WHERE progress = ? AND finished_at IS NULL');
  const finish = db.prepare('UPDATE move_mark SET finished_at = ?');
  return {
    begin({ move, progress }: { move: string; progress: string }): void {
      insert.run(move, progress);
    },
    /** Within the transaction of the rows that this progress is. */
    advance({ from, to }: { from: string; to: string }): void {
      if (advance.run(to, from).changes !== 1) throw movedMeanwhile();
    },
    finish(at: EpochMs): void {
      finish.run(at);
    },
  };
}
