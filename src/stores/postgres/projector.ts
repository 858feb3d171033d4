import { messageOf } from '../../common/error-details.ts';
import type { EpochMs } from '../../core/model/link.ts';
import type { ProjectorStatus } from '../../core/ports/ports.ts';
import {
  addStatuses,
  type HourAddress,
  insertRows,
  notProjected,
  prepareAddAddresses,
  prepareCountStatuses,
  prepareRank,
  projectionsOf,
  SELECT_THRESHOLD,
  type StatusCounts,
  selectAddresses,
  type Threshold,
} from '../sql/projections.ts';
import { type Columns, ENTRIES_PER_DRAW, POSTGRES } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { QUERY_CANCELED, sqlStateOf, toStoreError } from './errors.ts';
import { type Changes, parseChanges, type QueuedRow } from './queue.ts';
import { inIdempotentTransaction } from './transaction.ts';

/** Transactions that one round projects, at most. */
const MAX_QUEUED = 256;
/** Entries that one round projects, in about 50 ms, or 150 if each has another address; more if one transaction has more. */
const MAX_ENTRIES = 16_384;
/** So often an instance projects what waits, also what another one has left. */
const POLL_MS = 500;

/** The next transactions, each with whether the log has its entries. For EXISTS, a plan may read the whole log into a hash. */
export const SELECT_NEXT = `SELECT first_seq, changes,
           (SELECT seq FROM entry WHERE seq = projection_queue.first_seq LIMIT 1) IS NOT NULL AS "isInLog"
         FROM projection_queue WHERE first_seq >= $2 ORDER BY first_seq LIMIT $1`;
const DELETE = 'DELETE FROM projection_queue WHERE first_seq = ANY($1::bigint[])';
const MEASURE = `
  WITH oldest AS (SELECT min(first_seq) AS seq FROM projection_queue)
  SELECT (SELECT count(*) FROM (SELECT 1 FROM entry WHERE entry.seq >= oldest.seq LIMIT 100000) AS later) AS "waitingEntries",
    (SELECT at FROM entry WHERE entry.seq >= oldest.seq ORDER BY entry.seq LIMIT 1) AS "oldestAt"
  FROM oldest`;
/** `newest`: the last number that a transaction has drawn. */
const SELECT_LAST = `SELECT (SELECT max(first_seq) FROM projection_queue WHERE first_seq >= $1) AS last,
           (SELECT last_value FROM entry_seq) AS newest`;

type Waiting = { last: number | null; newest: number };

/** A transaction ends within this time after it has drawn its numbers, unless its statements may take longer. */
const SETTLED_MS = 30_000;

/**
 * Prepares looking for transactions that wait. Those before `settled` have ended and are projected. Looking at their
 * deleted rows would cost more and more while a long transaction, such as a backup, keeps them: 100 ms for a million.
 * `next`: is settled once all that a later look at the whole queue finds is projected.
 */
function prepareLook(connections: Connections, elapsedMs: () => number) {
  const settledMs = Math.max(SETTLED_MS, 2 * (connections.statementTimeoutMs ?? 0));
  let window = { settled: 0, next: 0, endsAt: 0 };

  /**
   * Returns where the last transaction begins that waits, and from where on the queue has all that wait. `onProjected` is
   * called once these are projected.
   */
  return async function look(): Promise<{ last: number | null; from: number; onProjected: () => void }> {
    const isWhole = elapsedMs() >= window.endsAt;
    const from = isWhole ? 0 : window.settled;
    const [waiting] = await connections.read<Waiting>(SELECT_LAST, [from]);
    if (!waiting) return { last: null, from, onProjected: () => {} };
    const { last, newest } = waiting;
    if (newest < Math.max(from, window.next)) {
      window = { settled: 0, next: 0, endsAt: 0 }; // an older copy of the database was restored
      return look();
    }
    const onProjected = () => {
      if (isWhole) window = { settled: window.next, next: newest, endsAt: elapsedMs() + settledMs };
    };
    return { last, from, onProjected };
  };
}

const DRAW: Columns = { first_seq: 'integer' };
/**
 * Adds the entries of transactions to what follows from them, and returns their addresses. They are read once: each
 * further statement on the log costs 0.7 µs an entry. LIMIT lets any plan find them by their numbers.
 */
export const ADD_ENTRIES = `WITH counted AS MATERIALIZED (SELECT entry.* FROM ${POSTGRES.given(DRAW)} CROSS JOIN LATERAL (
             SELECT seq, number, short_code, at, kind, result, count, ip_address FROM entry
             WHERE seq >= given.first_seq AND seq < given.first_seq + ${ENTRIES_PER_DRAW}
             ORDER BY seq LIMIT ${ENTRIES_PER_DRAW}) AS entry),
           ${insertRows(projectionsOf(POSTGRES), 'counted').map(
             ([table, statement]) => `of_${table} AS (${statement})`,
           )}
         ${selectAddresses(POSTGRES, 'counted')}`;
const addAddresses = prepareAddAddresses(POSTGRES);
const countStatuses = prepareCountStatuses(POSTGRES);
const rank = prepareRank(POSTGRES);

type NextRow = QueuedRow & { isInLog: boolean };

/** Projects the oldest transactions that wait. `onSelected` gets where they begin. */
function runRound(
  connections: Connections,
  { limit, from }: { limit: number; from: number },
  onSelected: (firstSeqs: number[]) => void,
): Promise<void> {
  return inIdempotentTransaction(connections, async (transaction) => {
    const [, next, thresholds] = await transaction.readAll([
      { statement: POSTGRES.lockProjector, values: [] },
      { statement: SELECT_NEXT, values: [limit, from] },
      { statement: SELECT_THRESHOLD, values: [] },
    ]);
    const rows = next as NextRow[]; // as the statement names its columns
    onSelected(rows.map((row) => row.first_seq)); // one of them may be unreadable
    const changes = rows.map(parseChanges);
    const count = countUpTo(MAX_ENTRIES, changes);
    const taken = rows.slice(0, count);
    const firstSeqs = taken.map((row) => row.first_seq);
    onSelected(firstSeqs);
    if (taken.some(({ isInLog }, index) => !isInLog && changes[index]?.entryCount !== 0))
      throw new Error('the log lacks some; if their month was detached, attach its partition again');
    const addresses = await transaction.read<HourAddress>(ADD_ENTRIES, [firstSeqs]);
    const [threshold] = thresholds as NonNullable<Threshold>[]; // as its statement names its columns, too
    transaction.write(DELETE, [firstSeqs]);
    for (const step of [...addAddresses(addresses), ...otherSteps(changes.slice(0, count), threshold)])
      transaction.write(step.statement, step.values);
  });
}

/** Returns how many of some transactions have so many entries together, at least one. */
function countUpTo(maxEntries: number, changes: readonly Changes[]): number {
  let entries = 0;
  const end = changes.findIndex(({ entryCount }) => {
    entries += entryCount;
    return entries > maxEntries;
  });
  return end === -1 ? changes.length : Math.max(1, end);
}

/** Returns the steps that write what does not follow from entries. */
function otherSteps(changes: readonly Changes[], threshold: Threshold) {
  const views = new Map(changes.flatMap((each) => each.views)); // of a link, the last ones
  const statuses: StatusCounts = {};
  for (const each of changes) addStatuses(statuses, each.statuses);
  return [...countStatuses(statuses), ...rank(views, threshold)];
}

function prepareDrain(connections: Connections, elapsedMs: () => number) {
  const look = prepareLook(connections, elapsedMs);
  let limit = MAX_QUEUED;

  /** Projects all that waits now, up to a transaction that cannot be projected. Smaller and smaller rounds find it. */
  return async function drain(): Promise<void> {
    const { last, from, onProjected } = await look();
    if (last !== null) await projectUntil(last, from);
    onProjected();
  };

  async function projectUntil(last: number, from: number): Promise<void> {
    for (;;) {
      let selected: number[] = [];
      try {
        await runRound(connections, { limit, from }, (firstSeqs) => {
          selected = firstSeqs;
        });
        limit = Math.min(2 * limit, MAX_QUEUED);
        if (selected.length === 0 || Math.max(...selected) >= last) return;
      } catch (error) {
        // Without a selection, the round could not begin, as while another session holds its lock.
        if (selected.length === 0 || !isOfRound(error)) throw error;
        if (selected.length === 1) throw notProjected(selected[0], error);
        limit = Math.ceil(selected.length / 2);
      }
    }
  }
}

/** Projects what transactions have appended to the log, in rounds. Of all instances, one at a time runs a round. */
export function createProjector(connections: Connections, elapsedMs = () => performance.now()) {
  const drain = prepareDrain(connections, elapsedMs);
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  /** Why projecting has stopped; an unavailable database is no reason. */
  let failure: string | undefined;
  let failures = 0;
  let roundSeconds = 0;

  async function watch(work: () => Promise<void>): Promise<void> {
    const startedAt = elapsedMs();
    try {
      await work();
      failure = undefined;
    } catch (error) {
      failures += 1;
      if (toStoreError(error) === error) failure = messageOf(error);
      throw error;
    } finally {
      roundSeconds = (elapsedMs() - startedAt) / 1000;
    }
  }

  /** Resolves once rounds have projected all that was committed before the call. Callers share it. */
  function project(): Promise<void> {
    next ??= current
      .catch(() => {}) // reported to those who wait for it
      .then(() => {
        next = undefined;
        current = watch(drain);
        return current;
      });
    return next;
  }

  const timer = setInterval(() => {
    if (next !== undefined) return;
    project().catch(() => {}); // the next poll tries again
  }, POLL_MS);

  return {
    project,
    measure: async (now: EpochMs): Promise<ProjectorStatus> => ({
      ...(await measureWaiting(connections, now)),
      ...{ roundSeconds, failures },
    }),
    /** Returns the error that has stopped projecting; undefined without one. */
    findFailure: () => failure,
    async close(): Promise<void> {
      clearInterval(timer);
      await next?.catch(() => {}); // the next start projects what is left
      await current.catch(() => {});
    },
  };
}

async function measureWaiting(connections: Connections, now: EpochMs) {
  type Measured = { waitingEntries: number; oldestAt: EpochMs | null };
  const [row] = await connections.read<Measured>(MEASURE);
  const { waitingEntries = 0, oldestAt = null } = row ?? {};
  const oldestAgeSeconds = oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000;
  return { waitingEntries, oldestAgeSeconds };
}

/** Returns whether a smaller round may succeed: its statement took too long, or its data are not as they must be. */
const isOfRound = (error: unknown): boolean =>
  sqlStateOf(error) === QUERY_CANCELED || toStoreError(error) === error;
