import { addProjection, createProjection, parseProjection } from '../projection.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import { type Floor, prepareWriteProjection, SELECT_FLOOR } from '../sql/write-projection.ts';
import { ConnectionLost, type Connections, isContention, Unreachable } from './connection.ts';
import { inIdempotentTransaction } from './transaction.ts';

/** Transactions that one round projects. */
const MAX_QUEUED = 64;
/** So often an instance looks whether something waits, which another one may have left. */
const POLL_MS = 250;

/** The lock of this row excludes other rounds. */
const BEGIN_ROUND: Statement = {
  name: 'begin-round',
  text: 'UPDATE projector SET round = round + 1 RETURNING round',
};
const TAKE: Statement = {
  name: 'take-projections',
  text: `DELETE FROM projection_queue WHERE first_seq IN (
           SELECT first_seq FROM projection_queue WHERE NOT is_rejected ORDER BY first_seq LIMIT $1)
         RETURNING first_seq, changes`,
};
const REJECT: Statement = {
  name: 'reject-projection',
  text: `UPDATE projection_queue SET is_rejected = true WHERE first_seq = (
           SELECT min(first_seq) FROM projection_queue WHERE NOT is_rejected) RETURNING first_seq`,
};
const SELECT_WAITING: Statement = {
  name: 'select-waiting-projections',
  text: 'SELECT 1::bigint AS one FROM projection_queue WHERE NOT is_rejected LIMIT 1',
};

/** Projects what transactions have appended to the log, in rounds. Of all instances, one at a time runs a round. */
export function createProjector(connections: Connections) {
  const writer = prepareWriteProjection(POSTGRES);
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  /** Projects the oldest transactions that wait. Returns how many. */
  function runRound(limit: number): Promise<number> {
    return inIdempotentTransaction(connections, async (transaction) => {
      await transaction.read(BEGIN_ROUND);
      const taken = await transaction.read<{ first_seq: number; changes: string }>(TAKE, [limit]);
      if (taken.length === 0) return 0;
      const projection = createProjection();
      for (const { changes } of taken.sort((a, b) => a.first_seq - b.first_seq))
        addProjection(projection, parseProjection(changes));
      const [floor] = await transaction.read<NonNullable<Floor>>(SELECT_FLOOR);
      for (const { statement, values } of [
        ...writer.writeOrigins(projection),
        ...writer.writeCounts(projection, floor),
        ...writer.writeStatuses(projection.statuses),
      ])
        transaction.write(statement, values);
      return taken.length;
    });
  }

  /** Projects all that waits. What cannot be projected is put aside, so that all else goes on. */
  async function drain(): Promise<void> {
    for (let limit = MAX_QUEUED; ; ) {
      try {
        if ((await runRound(limit)) < limit) return;
      } catch (error) {
        if (isTemporary(error)) throw error;
        if (limit > 1) limit = 1;
        else await connections.lend((connection) => connection.query(REJECT));
      }
    }
  }

  /** Resolves once a round has projected all that was committed before the call. Callers share it. */
  function project(): Promise<void> {
    next ??= current
      .catch(() => {}) // reported to those who wait for it
      .then(() => {
        next = undefined;
        current = drain();
        return current;
      });
    return next;
  }

  const timer = setInterval(() => {
    if (next) return;
    connections
      .read<{ one: number }>(SELECT_WAITING)
      .then((rows) => (rows.length > 0 ? project() : undefined))
      .catch(() => {}); // the next poll tries again, and whoever waits learns the error
  }, POLL_MS);

  return {
    project,
    async close(): Promise<void> {
      clearInterval(timer);
      await next?.catch(() => {}); // the next start projects what is left
      await current.catch(() => {});
    },
  };
}

function isTemporary(error: unknown): boolean {
  return error instanceof ConnectionLost || error instanceof Unreachable || isContention(error);
}
