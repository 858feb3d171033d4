import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Statement, Step, Value } from './batch.ts';
import { ConnectionLost, type Connections, sqlStateOf } from './connection.ts';

/** A transaction that is under way. */
export type Transaction = {
  /** Sends what was written so far and this statement, and waits for its rows. */
  read<Row extends object>(statement: Statement, values?: readonly Value[]): Promise<Row[]>;
  /** Has a statement sent with the next that is read, or with the commit; what it fails with fails the commit. */
  write(statement: Statement, values?: readonly Value[]): void;
};

/** What the database gives up so that another transaction can go on: tried again after a short pause. */
const CONTENTION = ['40001', '40P01']; // serialization_failure, deadlock_detected
const DUPLICATE = '23505'; // unique_violation
const COMPLETION_UNKNOWN = '40003'; // statement_completion_unknown: how CockroachDB answers a COMMIT that it lost sight of

const MAX_TRIES_IN_CONTENTION = 20;
const MAX_TRIES_AFTER_LOSS = 3;
const MAX_PAUSE_MS = 100;
/** For how long a transaction whose commit got no answer is tried again before it is given up. */
const UNKNOWN_COMMIT_PATIENCE_MS = 8_000;

/**
 * Runs `work` in one transaction, and again where the database asks for that or the connection was lost: all of it
 * is committed and durable once, or none of it.
 *
 * A connection that is lost at COMMIT leaves open whether that was done. So `work` must write something that the
 * database takes only once, the same in each run: the ids of its audit records, or a mark (`inIdempotentTransaction`).
 * Running it again then waits for whatever is left of the run before, and either commits, or meets a duplicate:
 * then the run before was committed, and what it came to holds.
 *
 * @throws what `work` throws, with nothing committed; and when no answer came for so long that whether it was
 *   committed stays open, which it shares with a process that is killed
 */
export async function inTransaction<T>(
  connections: Connections,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let unanswered: { result: T } | undefined;
  const isOutOfPatience = () => performance.now() - startedAt >= UNKNOWN_COMMIT_PATIENCE_MS;
  for (let tries = 1; ; tries++) {
    try {
      const { result, isCommitted } = await run(connections, work, { isFirst: unanswered === undefined });
      if (isCommitted) return result;
      unanswered = { result };
      if (isOutOfPatience()) throw new ConnectionLost('No COMMIT was answered');
    } catch (error) {
      if (unanswered && sqlStateOf(error) === DUPLICATE) return unanswered.result;
      if (unanswered ? isOutOfPatience() : tries >= maxTriesAfter(error)) throw error;
    }
    await pause(Math.min(2 ** tries, MAX_PAUSE_MS));
  }
}

/** The same for `work` that writes nothing which the database takes only once: a mark does. */
export function inIdempotentTransaction<T>(
  connections: Connections,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  return inTransaction(connections, (transaction) => {
    transaction.write(INSERT_MARK, [id]);
    return work(transaction);
  });
}

const INSERT_MARK: Statement = { name: 'insert-mark', text: 'INSERT INTO commit_mark (id) VALUES ($1)' };

const BEGIN: Step = {
  statement: { name: 'BEGIN', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' },
  values: [],
};
const COMMIT: Step = { statement: { name: 'COMMIT', text: 'COMMIT' }, values: [] };

function maxTriesAfter(error: unknown): number {
  if (CONTENTION.includes(sqlStateOf(error) ?? '')) return MAX_TRIES_IN_CONTENTION;
  return error instanceof ConnectionLost ? MAX_TRIES_AFTER_LOSS : 1;
}

/**
 * One run. It resolves when COMMIT was sent, and tells whether that was answered; it rejects when nothing was
 * committed. COMMIT goes out behind the last statement without waiting for it, but not while an earlier run is
 * unanswered: only the answers to its statements tell which of the two it is.
 *
 * READ COMMITTED, because rows are locked before they are decided on; CockroachDB may run it as SERIALIZABLE.
 */
function run<T>(
  connections: Connections,
  work: (transaction: Transaction) => Promise<T>,
  { isFirst }: { isFirst: boolean },
): Promise<{ result: T; isCommitted: boolean }> {
  return connections.lend(async (connection) => {
    const unsent: Step[] = [BEGIN];

    async function send(...last: Step[]): Promise<Answer | undefined> {
      const { answers, fault } = await connection.send([...unsent.splice(0), ...last]);
      if (fault) throw fault;
      return answers.at(-1);
    }

    try {
      const result = await work({
        read: async <Row extends object>(statement: Statement, values: readonly Value[] = []) =>
          (await send({ statement, values }))?.rows as Row[], // as `Connection.query` does
        write: (statement, values = []) => void unsent.push({ statement, values }),
      });
      if (!isFirst && unsent.length > 0) await send();
      const { answers, fault } = await connection.send([...unsent, COMMIT]);
      // A COMMIT that is refused has committed nothing: deferred constraints, and conflicts that are found this late.
      if (fault && !(fault instanceof ConnectionLost) && sqlStateOf(fault) !== COMPLETION_UNKNOWN)
        throw fault;
      const hasCommitAnswer = answers.length > unsent.length;
      return { result, isCommitted: hasCommitAnswer && answers.at(-1)?.tag === 'COMMIT' };
    } catch (error) {
      await connection.execute('ROLLBACK').catch(() => {}); // a connection that is lost rolls back by itself
      throw error;
    }
  });
}
