import { parentPort, workerData } from 'node:worker_threads';
import type { EpochMs } from '../../links/link.ts';
import type { PeriodUnit, TimeRange } from '../../links/ports.ts';
import { serveCalls } from '../../threads/calls.ts';
import { type AttemptRow, fromAttemptRow } from '../attempt-row.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import type { Statement } from './batch.ts';
import { prepareCommitAttempts } from './commit-attempts.ts';
import { type ConnectionOptions, type Connections, openConnections } from './connection.ts';
import { prepareCreateLinks } from './create-links.ts';
import { prepareExpireDue } from './expire-due.ts';
import { prepareFindLinks } from './find-link.ts';
import { migrate } from './migrate.ts';
import { readMoveMark } from './move-mark.ts';
import { prepareNextSlot } from './next-slot.ts';
import { prepareReadLink } from './read-link.ts';
import { prepareRevokeLink } from './revoke-link.ts';
import { prepareStatistics } from './statistics.ts';
import { prepareUploadLedger } from './upload-ledger.ts';

/** What the thread is started with: `poolSize` is how many connections it has at most. */
export type DatabaseData = ConnectionOptions & { poolSize: number };

/** Of the pool, so many are for the statistics: a range over years of audit holds up no attempt. */
const STATISTICS_CONNECTIONS = 2;

const PROBE: Statement = { name: 'probe', text: 'SELECT 1::bigint AS one' };

/**
 * The one thread that talks with the database. A transaction waits for two answers, and the thread that takes requests
 * would often be in the midst of a group of others when they come.
 */
async function openDatabase(options: DatabaseData) {
  await prepareDatabase(options);
  const connections = openConnections(options, options.poolSize - STATISTICS_CONNECTIONS);
  const forStatistics = openConnections(options, STATISTICS_CONNECTIONS);
  const nextSlot = prepareNextSlot();
  const commitAttempts = prepareCommitAttempts(connections, nextSlot);
  const findLinks = prepareFindLinks(connections);
  const expireDue = prepareExpireDue(connections, nextSlot);
  const uploadLedger = prepareUploadLedger(connections);
  const statistics = prepareStatistics(forStatistics);
  return {
    commitAttempts: (rows: AttemptRow[]) => commitAttempts(rows.map(fromAttemptRow)),
    createLinks: prepareCreateLinks(connections, nextSlot),
    /** Of a link that is not there, null: JSON has nothing else to say in an array. */
    findLinks: async (shortCodes: string[]) => (await findLinks(shortCodes)).map((facts) => facts ?? null),
    readLink: prepareReadLink(connections),
    revokeLink: prepareRevokeLink(connections, nextSlot),
    expireDue: ({ now, limit }: { now: EpochMs; limit: number }) => expireDue(now, limit),
    ...uploadLedger,
    claimStaleUploads: ({ startedBefore, limit }: { startedBefore: EpochMs; limit: number }) =>
      uploadLedger.claimStaleUploads(startedBefore, limit),
    ...statistics,
    overTime: ([unit, range]: [PeriodUnit, TimeRange]) => statistics.overTime(unit, range),
    linkCounts: (_: null) => statistics.linkCounts(),
    probe: (_: null) => probe(connections),
    ready: (_: null) => {},
    async close(_: null) {
      await Promise.all([connections.end(), forStatistics.end()]);
    },
  };
}
export type DatabaseOperations = Awaited<ReturnType<typeof openDatabase>>;

async function probe(connections: Connections): Promise<number> {
  const [row] = await connections.lend((connection) => connection.query<{ one: number }>(PROBE));
  return row?.one ?? 0;
}

/** Done on a connection of its own, because a migration may take long. */
async function prepareDatabase(options: ConnectionOptions): Promise<void> {
  const connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  try {
    await requireSynchronousCommit(connections);
    await migrate(connections);
    assertNoUnfinishedMove(await readMoveMark(connections));
  } finally {
    await connections.end();
  }
}

const SYNCHRONOUS_COMMIT: Statement = { name: 'synchronous-commit', text: 'SHOW synchronous_commit' };

/** "An answer leaves only after its audit record and its view are durable." */
async function requireSynchronousCommit(connections: Connections): Promise<void> {
  const [row] = await connections.read<{ synchronous_commit: string }>(SYNCHRONOUS_COMMIT);
  if (row?.synchronous_commit !== 'off') return;
  throw new Error(
    'The database answers commits before they are durable, so that a crash would lose views: ' +
      'synchronous_commit must not be off for this user and database.',
  );
}

if (parentPort) serveCalls(parentPort, await openDatabase(workerData));
