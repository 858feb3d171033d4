import { setTimeout } from 'node:timers/promises';
import { ENTRIES_PER_DRAW } from '../sql/query.ts';
import type { Connections } from './connection.ts';

/** `is_called`: false where the next transaction draws this number itself, as after the beginning of a month. */
const SELECT_DRAWN = `SELECT CASE WHEN is_called THEN last_value + ${ENTRIES_PER_DRAW - 1} ELSE last_value - 1 END AS drawn FROM entry_seq`;
/** Takes an id for the reader, which is above all that were given before: also above those after the last one that ended. */
const SELECT_NEXT = 'SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) AS next';
const SELECT_OLDEST =
  'SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS oldest';

const POLL_MS = 20;
const MAX_WAIT_MS = 20_000;

/**
 * Prepares finding a number up to which no transaction can append any more. Numbers are committed in another order than
 * they were drawn in. A transaction gets its own id by its token, in its first statement, before it draws a number. So once
 * all ids from before have ended that were given when the last number was drawn, that number and all before it are settled.
 */
export function prepareReadSettled(connections: Connections) {
  return async (): Promise<number> => {
    const [last] = await connections.read<{ drawn: number }>(SELECT_DRAWN);
    // A statement of its own: its id must be given after the number was read.
    const [given] = await connections.read<{ next: number }>(SELECT_NEXT);
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
      const [running] = await connections.read<{ oldest: number }>(SELECT_OLDEST);
      if (last && given && running && running.oldest >= given.next) return last.drawn;
      await setTimeout(POLL_MS);
    }
    throw new Error(
      `a transaction of PostgreSQL has been open for more than ${MAX_WAIT_MS / 1000} s, so it is not known which entries are ` +
        'complete: end it (pg_stat_activity)',
    );
  };
}
