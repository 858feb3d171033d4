import type { EpochMs } from '../../core/model/link.ts';
import type { TimeCorrection } from '../../core/ports/ports.ts';
import type { Commit, Query, Statement } from './query.ts';

/** Bounds a transaction. */
const ROWS_AT_ONCE = 500;

/** Returns the time that is as long after now as the column was after the time of the clock. */
const shifted = (column: string): string => `${column} = ${column} - set_at + $1`;

const CORRECT_NOTIFICATIONS = `UPDATE notification SET ${shifted('due_at')}, set_at = $1,
           created_at = CASE WHEN created_at > $1 THEN $1 ELSE created_at END
         WHERE id IN (SELECT id FROM notification WHERE set_at > $1 AND failed_at IS NULL LIMIT ${ROWS_AT_ONCE})
         RETURNING queue`;
const CORRECT_QUEUES = `UPDATE delivery_queue SET ${['due_at', 'rest_until', 'leased_until'].map(shifted).join(', ')}, set_at = $1
         WHERE name IN (SELECT name FROM delivery_queue WHERE set_at > $1 LIMIT ${ROWS_AT_ONCE}) RETURNING name`;
/** A queue whose own times are right was due with a notification whose time was wrong. */
const WAKE_QUEUE = `UPDATE delivery_queue SET due_at = CASE WHEN rest_until > $2 THEN rest_until ELSE $2 END
         WHERE name = $1 AND due_at > $2`;
const OTHERS: Statement[] = [
  limitToNow('idempotent_request', { key: 'id', column: 'created_at' }),
  limitToNow('upload', { key: 'file_id', column: 'active_at' }),
  limitToNow('api_key', { key: 'name', column: 'last_used_at' }),
  limitToNow('session', { key: 'hash', column: 'created_at' }),
  limitToNow('session', { key: 'hash', column: 'last_used_at' }),
];

function limitToNow(table: string, { key, column }: { key: string; column: string }): Statement {
  return `UPDATE ${table} SET ${column} = $1
           WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${column} > $1 LIMIT ${ROWS_AT_ONCE}) RETURNING ${key}`;
}

/** Returns the operation that corrects times. */
export function createCorrectTimes(commit: Commit): TimeCorrection {
  /** Returns whether more may be left. */
  async function correctSome(query: Query, now: EpochMs): Promise<boolean> {
    const queues = (await query<{ name: string }>(CORRECT_QUEUES, [now])).map(({ name }) => name);
    const waiting = (await query<{ queue: string }>(CORRECT_NOTIFICATIONS, [now])).map(({ queue }) => queue);
    for (const name of new Set(waiting).difference(new Set(queues))) await query(WAKE_QUEUE, [name, now]);
    const counts = [queues.length, waiting.length];
    for (const statement of OTHERS) counts.push((await query(statement, [now])).length);
    return counts.includes(ROWS_AT_ONCE);
  }

  return {
    async correctTimes(now) {
      while (await commit((query) => correctSome(query, now)));
    },
  };
}
