import { messageOf } from '../../common/error-details.ts';
import type { EpochMs } from '../../core/model/link.ts';
import type { ProjectorStatus } from '../../core/ports/ports.ts';
import {
  addStatuses,
  insertRows,
  notProjected,
  prepareCountStatuses,
  prepareRank,
  projectionsOf,
  SELECT_THRESHOLD,
  type StatusCounts,
  selectAddresses,
  selectOrigins,
  type Threshold,
} from '../sql/projections.ts';
import { type Columns, POSTGRES, type Value } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { sqlStateOf, toStoreError } from './errors.ts';
import { parseChanges, type QueuedRow, toRanges } from './queue.ts';
import { inIdempotentTransaction } from './transaction.ts';

/** Transactions that one round projects. */
const MAX_QUEUED = 256;
/** So often an instance projects what waits, also what another one has left. */
const POLL_MS = 500;

/** The lock of this row excludes other rounds. */
const BEGIN_ROUND = 'UPDATE projector SET round = round + 1 RETURNING round';
const TAKE = `DELETE FROM projection_queue WHERE first_seq IN (
           SELECT first_seq FROM projection_queue WHERE first_seq >= $2
           ORDER BY first_seq LIMIT $1)
         RETURNING first_seq, changes`;
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

const RANGE: Columns = { first_seq: 'integer', last_seq: 'integer' };
const ADDRESS: Columns = { hour: 'integer', ip_address: 'text' };
const { origin_by_hour, ...projections } = projectionsOf(POSTGRES);

/**
 * Adds the entries of parts of the log to what follows from them, and returns their addresses. They are read once: each
 * further statement on the log costs 0.7 µs an entry. LIMIT lets any plan find them by their numbers.
 */
const ADD_ENTRIES = `WITH counted AS MATERIALIZED (SELECT entry.* FROM ${POSTGRES.given(RANGE)} CROSS JOIN LATERAL (
             SELECT seq, number, short_code, at, kind, result, count, ip_address FROM entry
             WHERE seq >= given.first_seq AND seq <= given.last_seq ORDER BY seq LIMIT 1000000) AS entry),
           ${Object.entries(projections).map(
             ([table, projection]) => `of_${table} AS (${insertRows(table, projection, 'counted')})`,
           )}
         ${selectAddresses(POSTGRES, 'counted')}`;
/** A statement of its own, which sees the numbers of new addresses. */
const ADD_ADDRESSES = insertRows(
  'origin_by_hour',
  { ...origin_by_hour, rows: selectOrigins },
  `(SELECT * FROM ${POSTGRES.given(ADDRESS)})`,
);
const countStatuses = prepareCountStatuses(POSTGRES);
const rank = prepareRank(POSTGRES);

/** Projects the oldest transactions that wait. `onSelected` gets where they begin. */
function runRound(
  connections: Connections,
  { limit, from }: { limit: number; from: number },
  onSelected: (firstSeqs: number[]) => void,
): Promise<void> {
  return inIdempotentTransaction(connections, async (transaction) => {
    const [, taking, thresholds] = await transaction.readAll([
      { statement: BEGIN_ROUND, values: [] },
      { statement: TAKE, values: [limit, from] },
      { statement: SELECT_THRESHOLD, values: [] },
    ]);
    const rows = (taking as QueuedRow[]).sort((a, b) => a.first_seq - b.first_seq); // as the statements name their columns
    const firstSeqs = rows.map((row) => row.first_seq);
    onSelected(firstSeqs);
    const addresses = await transaction.read<{ hour: number; ip_address: string }>(
      ADD_ENTRIES,
      POSTGRES.values(RANGE, toRanges(firstSeqs)),
    );
    const values = addresses.map(({ hour, ip_address }): Value[] => [hour, ip_address]);
    transaction.write(ADD_ADDRESSES, POSTGRES.values(ADDRESS, values));
    const [threshold] = thresholds as NonNullable<Threshold>[];
    for (const step of otherSteps(rows, threshold)) transaction.write(step.statement, step.values);
  });
}

/** Returns the steps that write what does not follow from entries. */
function otherSteps(rows: readonly QueuedRow[], threshold: Threshold) {
  const views = new Map<string, number>();
  const statuses: StatusCounts = {};
  for (const row of rows) {
    const changes = parseChanges(row);
    for (const [shortCode, count] of changes.views) views.set(shortCode, count);
    addStatuses(statuses, changes.statuses);
  }
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
      const round = { limit, from };
      try {
        await runRound(connections, round, (firstSeqs) => {
          selected = firstSeqs;
        });
        limit = Math.min(2 * limit, MAX_QUEUED);
        if (selected.length < round.limit || Math.max(...selected) >= last) return;
      } catch (error) {
        if (!isOfData(error)) throw error;
        if (limit === 1) throw notProjected(selected[0], error);
        limit = Math.ceil(limit / 2);
      }
    }
  }
}

/** Projects what transactions have appended to the log, in rounds. Of all instances, one at a time runs a round. */
export function createProjector(connections: Connections, elapsedMs = () => performance.now()) {
  const drain = prepareDrain(connections, elapsedMs);
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  /** The error of the last round. */
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

  /** Resolves once a round has projected all that was committed before the call. Callers share it. */
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
    /** Returns why the last round failed; undefined if it did not. */
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

/** Returns whether a projection itself cannot be written: the database refuses its data. */
function isOfData(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? ''); // data exceptions and violated constraints
}
