import { randomUUID } from 'node:crypto';
import type { Statement } from '../sql/query.ts';
import { type Connections, LIFT_TIMEOUT, maxTriesAfter, pauseBeforeTry } from './connection.ts';
import { ConnectionLost, constraintOf, isLockTimeout, sqlStateOf } from './errors.ts';
import type { Step, Value } from './pipeline.ts';

/** A transaction in progress. */
export type Transaction = {
  /** Sends the queued statements and this one, and waits for its rows. */
  read<Row extends object>(statement: Statement, values?: readonly Value[]): Promise<Row[]>;
  /** Sends the queued statements and these in one packet, and waits for the rows of each of these. */
  readAll(steps: readonly Step[]): Promise<object[][]>;
  /** Queues a statement for the next `read` or the commit. Its error fails that. */
  write(statement: Statement, values?: readonly Value[]): void;
};

const DUPLICATE = '23505'; // unique_violation
/** The unique key that each run of a transaction inserts first. */
const KEY_OF_RUNS = 'commit_token_pkey';
const INSERT_TOKEN = 'INSERT INTO commit_token (id) VALUES ($1)';
const COMPLETION_UNKNOWN = '40003'; // statement_completion_unknown: CockroachDB's error for a COMMIT whose outcome it lost

/**
 * For how long a transaction whose COMMIT got no response is retried, from the moment it was given up. A silent
 * connection is given up only when its statement is over its time, so the time before that does not count.
 */
const UNKNOWN_COMMIT_PATIENCE_MS = 8_000;

/**
 * Runs `work` in one transaction, and retries it after contention or a lost connection: all of it is committed and
 * durable once, or none of it.
 *
 * A connection that is lost at COMMIT leaves open whether that was executed. So each run first inserts the same token.
 * The token of a retry waits for the end of the run before. Then the retry runs, or it meets a duplicate: the run
 * before was committed, and its result holds.
 *
 * @throws what `work` throws, with nothing committed; and after a long time without a response, when it is unknown
 *   whether the transaction was committed, as after the death of the process
 */
export async function inIdempotentTransaction<T>(
  connections: Connections,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const token = randomUUID();
  const lockDeadline = performance.now() + (connections.statementTimeoutMs ?? Number.POSITIVE_INFINITY);
  let unconfirmed: { result: T; givenUpAt: number } | undefined;
  const isOutOfPatience = () =>
    unconfirmed !== undefined && performance.now() - unconfirmed.givenUpAt >= UNKNOWN_COMMIT_PATIENCE_MS;
  let tries = 1;
  let lockTimeouts = 0;
  for (;;) {
    try {
      const { result, isCommitted } = await run(connections, work, {
        token,
        mayBeCommitted: unconfirmed !== undefined,
      });
      if (isCommitted) return result;
      unconfirmed = { result, givenUpAt: unconfirmed?.givenUpAt ?? performance.now() };
      if (isOutOfPatience()) throw new ConnectionLost('No COMMIT was confirmed');
      tries += 1;
    } catch (error) {
      if (unconfirmed && isDuplicateRun(error)) return unconfirmed.result;
      const isWaiting = isLockTimeout(error);
      const mayRetry = isWaiting ? performance.now() < lockDeadline : tries < maxTriesAfter(error);
      if (unconfirmed ? isOutOfPatience() : !mayRetry) throw error;
      if (isWaiting) lockTimeouts += 1;
      else tries += 1;
    }
    await pauseBeforeTry(tries + lockTimeouts);
  }
}

/** A server that has become read-only, and a pooler that has forgotten a statement: the connection is given up, and nothing is committed. */
const ROLLED_BACK = ['25006', '26000'];

const BEGIN: Step = { statement: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
const COMMIT: Step = { statement: 'COMMIT', values: [] };

/**
 * Runs `work` once. Resolves when COMMIT was sent, with whether it was confirmed; rejects when nothing was committed.
 * COMMIT is sent with the last statements, but not while an earlier run is unconfirmed: only the result of the token
 * shows which of the two was committed.
 *
 * READ COMMITTED, because rows are locked before they are decided on; CockroachDB may run it as SERIALIZABLE.
 */
function run<T>(
  connections: Connections,
  work: (transaction: Transaction) => Promise<T>,
  { token, mayBeCommitted }: { token: string; mayBeCommitted: boolean },
): Promise<{ result: T; isCommitted: boolean }> {
  return connections.withConnection(async (connection) => {
    const unsent: Step[] = connections.statementTimeoutMs === null ? [BEGIN, LIFT_TIMEOUT] : [BEGIN];
    unsent.push({ statement: INSERT_TOKEN, values: [token] });

    async function readAll(steps: readonly Step[]): Promise<object[][]> {
      const queued = unsent.splice(0);
      const { results, error } = await connection.send([...queued, ...steps]);
      if (error) throw error;
      return results.slice(queued.length).map(({ rows }) => rows);
    }

    try {
      const result = await work({
        read: async <Row extends object>(statement: Statement, values: readonly Value[] = []) =>
          (await readAll([{ statement, values }]))[0] as Row[], // as `Connection.query` does
        readAll,
        write: (statement, values = []) => void unsent.push({ statement, values }),
      });
      if (mayBeCommitted && unsent.length > 0) await readAll([]);
      const { results, error } = await connection.send([...unsent, COMMIT]);
      // A refused COMMIT has committed nothing: deferred constraints, and conflicts that are found this late.
      if (error && !mayHaveCommitted(error)) throw error;
      const hasCommitResult = results.length > unsent.length;
      return { result, isCommitted: hasCommitResult && results.at(-1)?.tag === 'COMMIT' };
    } catch (error) {
      // A lost connection is rolled back by the database. A silent one would not respond to this either.
      if (!(error instanceof ConnectionLost)) await connection.execute('ROLLBACK').catch(() => {});
      throw error;
    }
  });
}

function isDuplicateRun(error: unknown): boolean {
  return sqlStateOf(error) === DUPLICATE && constraintOf(error) === KEY_OF_RUNS;
}

function mayHaveCommitted(error: unknown): boolean {
  return error instanceof ConnectionLost
    ? !ROLLED_BACK.includes(sqlStateOf(error.cause) ?? '')
    : sqlStateOf(error) === COMPLETION_UNKNOWN;
}
