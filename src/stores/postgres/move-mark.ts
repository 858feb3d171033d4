import type { EpochMs } from '../../links/link.ts';
import { type MoveMark, movedMeanwhile } from '../../move/ports.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';

const SELECT: Statement = {
  name: 'select-move-mark',
  text: 'SELECT move, progress, finished_at FROM move_mark',
};
const INSERT: Statement = {
  name: 'begin-move',
  text: 'INSERT INTO move_mark (only_row, move, progress) VALUES (1, $1, $2)',
};
const ADVANCE: Statement = {
  name: 'advance-move',
  text: `UPDATE move_mark SET progress = $1 WHERE progress = $2 AND finished_at IS NULL RETURNING only_row`,
};
const FINISH: Statement = { name: 'finish-move', text: 'UPDATE move_mark SET finished_at = $1' };

/** The mark of the move that a store is the target of; null when there was none. */
export async function readMoveMark(connections: Connections): Promise<MoveMark | null> {
  const [row] = await connections.read<{ move: string; progress: string; finished_at: number | null }>(
    SELECT,
  );
  return row ? { move: row.move, progress: row.progress, finishedAt: row.finished_at } : null;
}

export function beginMove(
  connections: Connections,
  { move, progress }: { move: string; progress: string },
): Promise<void> {
  return inIdempotentTransaction(connections, async (transaction) =>
    transaction.write(INSERT, [move, progress]),
  );
}

/** Within the transaction of the rows that this progress is. */
export async function advanceMove(
  transaction: Transaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const advanced = await transaction.read(ADVANCE, [to, from]);
  if (advanced.length !== 1) throw movedMeanwhile();
}

export function finishMove(connections: Connections, at: EpochMs): Promise<void> {
  return inIdempotentTransaction(connections, async (transaction) => transaction.write(FINISH, [at]));
}
