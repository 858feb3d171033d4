import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../error-details.ts';
import type { Download } from '../../links/history.ts';
import type { PostgresLocation } from '../../locations.ts';
import { serveCalls } from '../../threads/calls.ts';
import { type AttemptRow, fromAttemptRow } from '../attempt-row.ts';
import type { Change } from '../change.ts';
import { type DepartureFlags, readDepartures } from '../departures.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createSummaryReads, createSummaryWrites } from '../sql/build-summaries.ts';
import { createCorrectTimes } from '../sql/correct-times.ts';
import { createFindListed } from '../sql/find-listed.ts';
import { createHistory } from '../sql/history.ts';
import { createIdempotencyReads, createIdempotencyWrites } from '../sql/idempotent-requests.ts';
import { createKeyReads, createKeyWrites } from '../sql/keys.ts';
import { createNotificationReads, createNotificationWrites } from '../sql/notifications.ts';
import { POSTGRES, type Query, type Statement } from '../sql/query.ts';
import { createReadLink } from '../sql/read-link.ts';
import { createReadListed } from '../sql/read-listed.ts';
import { createStatistics } from '../sql/statistics.ts';
import { prepareChangeLinks } from './change-links.ts';
import { assertStatementsStayPrepared } from './check-pooling.ts';
import { prepareCommitAttempts } from './commit-attempts.ts';
import { openConnections, problemOf } from './connection.ts';
import { prepareCreateLinks } from './create-links.ts';
import { createDatabaseIdentity } from './database-identity.ts';
import { prepareExpireDue } from './expire-due.ts';
import { prepareFindLinks } from './find-link.ts';
import { mergeSlots } from './merge-slots.ts';
import { prepareNextSlot } from './next-slot.ts';
import { prepareRecordDownloads } from './record-downloads.ts';
import { prepareRevokeLinks, type Revocation } from './revoke-link.ts';
import { createSchema } from './schema.ts';
import { prepareSharedCounts } from './shared-counts.ts';
import { inIdempotentTransaction } from './transaction.ts';
import { prepareUploadLedger } from './upload-ledger.ts';
import { type ExplainedProblem, watchWrites } from './watch-writes.ts';

/** `poolSize`: the most connections that the thread opens. */
export type DatabaseData = PostgresLocation & { poolSize: number };
/** What the thread is started with. */
type DatabaseThreadData = DatabaseData & { departures: DepartureFlags };

/** These connections of the pool are for statistics and histories: a range over years of audit delays no attempt. */
const STATISTICS_CONNECTIONS = 2;

const PROBE: Statement = { name: 'probe', text: 'SELECT 1::bigint AS one' };

/**
 * Returns the operations of the one thread that talks to the database. A transaction waits for two responses; the
 * thread that takes requests would often be busy with another batch when they arrive.
 */
async function openDatabase({ departures, ...options }: DatabaseThreadData) {
  await prepareDatabase(options);
  const identity = createDatabaseIdentity();
  const connections = openConnections(options, options.poolSize - STATISTICS_CONNECTIONS, identity);
  await assertStatementsStayPrepared(connections).catch(async (error: unknown) => {
    await connections.end();
    throw error;
  });
  const forStatistics = openConnections(options, STATISTICS_CONNECTIONS, identity);
  const nextSlot = prepareNextSlot();
  const commitAttempts = prepareCommitAttempts(connections, { nextSlot, identity });
  const revokeLinks = prepareRevokeLinks(connections, nextSlot);
  const changeLinks = prepareChangeLinks(connections, nextSlot);
  const recordDownloads = prepareRecordDownloads(connections);
  const writes = watchWrites(connections);
  const { watch } = writes;
  const uploads = prepareUploadLedger(connections);
  const commit = <T>(work: (query: Query) => Promise<T>) =>
    inIdempotentTransaction(connections, ({ read }) => work(read));
  return {
    commitAttempts: watch((rows: AttemptRow[], firstFlag: number) =>
      commitAttempts(rows.map(fromAttemptRow), 'BATCH', readDepartures(departures, firstFlag)),
    ),
    commitOnLockedLinks: watch((rows: AttemptRow[]) =>
      commitAttempts(rows.map(fromAttemptRow), 'LOCKED_LINKS'),
    ),
    createLinks: watch(prepareCreateLinks(connections, nextSlot)),
    findLinks: prepareFindLinks(connections),
    readLink: createReadLink(connections.read, POSTGRES),
    changeLinks: watch((changes: Change[]) => changeLinks(changes, 'BATCH')),
    changeLockedLinks: watch((changes: Change[]) => changeLinks(changes, 'LOCKED_LINKS')),
    revokeLinks: watch((revocations: Revocation[]) => revokeLinks(revocations, 'BATCH')),
    revokeLockedLinks: watch((revocations: Revocation[]) => revokeLinks(revocations, 'LOCKED_LINKS')),
    recordDownloads: watch((downloads: Download[]) => recordDownloads(downloads, 'BATCH')),
    recordLockedDownloads: watch((downloads: Download[]) => recordDownloads(downloads, 'LOCKED_LINKS')),
    expireDue: watch(prepareExpireDue(connections, nextSlot)),
    ...uploads,
    beginUploads: watch(uploads.beginUploads),
    ...prepareSharedCounts(connections),
    ...createIdempotencyReads(connections.read),
    ...createIdempotencyWrites(commit, POSTGRES),
    ...createKeyReads(connections.read),
    ...createKeyWrites(commit),
    ...createNotificationReads(connections.read, POSTGRES),
    ...createNotificationWrites(commit),
    ...createStatistics(forStatistics.read, forStatistics.readSnapshot, POSTGRES),
    ...createSummaryReads(forStatistics.read, forStatistics.readSnapshot, POSTGRES),
    ...createSummaryWrites(commit, POSTGRES, mergeSlots),
    ...createCorrectTimes(commit),
    ...createFindListed(forStatistics.read, POSTGRES),
    readListed: createReadListed(forStatistics.read, POSTGRES),
    ...createHistory(forStatistics.read, POSTGRES),
    /** A database that responds is reachable, also when it must not be used: `findProblems` finds out why. */
    async probe() {
      try {
        const [row] = await connections.lend((connection) => connection.query<{ one: number }>(PROBE));
        return row?.one ?? 0;
      } catch (error) {
        if (problemOf(error)) return 1;
        throw error;
      }
    },
    async findProblems(): Promise<ExplainedProblem[]> {
      try {
        await connections.check();
        return await writes.findProblems();
      } catch (error) {
        const problem = problemOf(error);
        if (problem) return [[problem, messageOf(error)]];
        throw error;
      }
    },
    waitForOtherDatabase: identity.waitForChange,
    async close() {
      await Promise.all([connections.end(), forStatistics.end()]);
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

if (parentPort) serveCalls(parentPort, await openDatabase(workerData as DatabaseThreadData)); // what `startThread` was given
