import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../common/error-details.ts';
import type { PostgresLocation } from '../../common/locations.ts';
import type { EpochMs, NotifiedLinks } from '../../core/model/link.ts';
import type { Problem } from '../../core/model/problem.ts';
import type { ConnectionPool } from '../../core/ports/ports.ts';
import { serveCalls } from '../calls.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { expireDue } from '../sql/expire-due.ts';
import { POSTGRES, type Query } from '../sql/query.ts';
import { createFindLinks, createReadLink } from '../sql/read-link.ts';
import { createReads, createReports } from '../sql/reads.ts';
import { createWrites, type OnLinks } from '../sql/writes.ts';
import { type Connections, openConnections, problemOf } from './connection.ts';
import { writeProblemOf } from './errors.ts';
import { type LinkTransactionOptions, prepareLinkTransactions } from './link-transactions.ts';
import { createMonths } from './partitions.ts';
import { createProjector } from './projector.ts';
import { createSchema } from './schema.ts';
import { prepareReadSettled } from './settled.ts';
import { prepareSharedCounts } from './shared-counts.ts';
import { inIdempotentTransaction } from './transaction.ts';

/** `poolSize`: the most connections that the thread opens. */
export type DatabaseData = PostgresLocation & { poolSize: number };

/** These connections of the pool are for statistics and histories: a range over years of audit delays no attempt. */
const STATISTICS_CONNECTIONS = 2;

const DELETE_OLD_TOKENS = `DELETE FROM commit_token WHERE committed_at < now() - INTERVAL '1 hour'`;
const PROBE = 'SELECT 1::bigint AS one';
/** Writes a row without a change, so that a full disk or a server that only reads is found without traffic. */
const TRY_TO_WRITE = 'UPDATE schema_version SET version = version';

/** A problem with the error that showed it. */
type ExplainedProblem = [problem: Problem, details: string];

/**
 * Returns the operations of the one thread that talks to the database. A transaction waits for two responses; the
 * thread that takes requests would often be busy with another batch when they arrive.
 */
async function openDatabase(options: DatabaseData) {
  await prepareDatabase(options);
  const connections = openConnections(options, options.poolSize - STATISTICS_CONNECTIONS);
  const forStatistics = openConnections(options, STATISTICS_CONNECTIONS);
  const runOnLinks = prepareLinkTransactions(connections);
  const projector = createProjector(connections);
  const months = createMonths(connections);
  const prepareOn =
    (options: LinkTransactionOptions): OnLinks =>
    (operation) =>
    (...inputs) =>
      runOnLinks((transaction) => operation(transaction, ...inputs), options);
  const onLinks = prepareOn({ skipsLocked: true });
  const onAllLinks = prepareOn({ skipsLocked: false });
  const commit = <T>(work: (query: Query) => Promise<T>) =>
    inIdempotentTransaction(connections, ({ read }) => work(read));
  return {
    ...createWrites({ onLinks, onAllLinks, commit, dialect: POSTGRES }),
    expireDue: prepareExpireDue(runOnLinks, months),
    findLinks: createFindLinks(connections.read),
    readLink: createReadLink(connections.read, POSTGRES),
    ...createReads(connections.read, POSTGRES),
    project: projector.project,
    ...prepareSharedCounts(connections),
    ...createReports(forStatistics.read, POSTGRES),
    readSettled: prepareReadSettled(connections),
    ...createProbe(connections, { projector, months }),
    measurePools: (): ConnectionPool[] => [
      { pool: 'operations', ...connections.measure() },
      { pool: 'statistics', ...forStatistics.measure() },
    ],
    waitForOtherServer: prepareWait(connections),
    async close() {
      await projector.close();
      await Promise.all([connections.end(), forStatistics.end()]);
    },
  };
}

/** Returns a function that resolves to the number of other servers so far, once it exceeds `known`. */
function prepareWait({ onOtherServer }: Connections) {
  let servers = 0;
  let next = Promise.withResolvers<number>();
  onOtherServer(() => {
    servers += 1;
    next.resolve(servers);
    next = Promise.withResolvers();
  });
  return (known: number): Promise<number> => (servers > known ? Promise.resolve(servers) : next.promise);
}

/** Prepares what the service calls at its start and every minute. */
function prepareExpireDue(
  runOnLinks: ReturnType<typeof prepareLinkTransactions>,
  months: ReturnType<typeof createMonths>,
) {
  return async (now: EpochMs, limit: number, notifiedLinks?: NotifiedLinks): Promise<number> => {
    await months.begin(now);
    return runOnLinks((transaction) => {
      transaction.write(DELETE_OLD_TOKENS, []);
      return expireDue(transaction, { now, limit, notifiedLinks });
    });
  };
}

/** Returns the operations that find out whether the database can be used. */
function createProbe(
  connections: Connections,
  watched: {
    projector: ReturnType<typeof createProjector>;
    months: ReturnType<typeof createMonths>;
  },
) {
  const { projector, months } = watched;
  return {
    measureProjector: projector.measure,
    /** Checks that the database responds, also when it must not be used: `findProblems` finds out why. */
    async probe() {
      try {
        const [row] = await connections.withConnection(({ query }) => query<{ one: number }>(PROBE));
        return row?.one ?? 0;
      } catch (error) {
        if (problemOf(error)) return 1;
        throw error;
      }
    },
    async findProblems(): Promise<ExplainedProblem[]> {
      try {
        await connections.check();
        await connections.read(TRY_TO_WRITE);
        const found: ExplainedProblem[] = [];
        const [unprojected, month] = [projector.findFailure(), months.findFailure()];
        if (unprojected !== undefined) found.push(['projection_failing', unprojected]);
        if (month !== undefined) found.push(['month_not_begun', month]);
        return found;
      } catch (error) {
        const problem = problemOf(error) ?? writeProblemOf(error);
        if (problem) return [[problem, messageOf(error)]];
        throw error;
      }
    },
  };
}

export type DatabaseOperations = Awaited<ReturnType<typeof openDatabase>>;

/** Checks the database, and creates its schema, on a connection of its own without a time-out. */
async function prepareDatabase(options: PostgresLocation): Promise<void> {
  await using connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  await createSchema(connections);
  await assertNoUnfinishedMove(connections.read);
}

if (parentPort) serveCalls(parentPort, await openDatabase(workerData as DatabaseData)); // as `startThread` was called
