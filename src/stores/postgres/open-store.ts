import type { LinkStore, StatisticsStore, StoreProbe, UploadLedger } from '../../links/ports.ts';
import { refuseUnfinishedMove } from '../../move/ports.ts';
import { groupCommit } from '../group-commit.ts';
import { rememberLinks } from '../remember-links.ts';
import { prepareCommitAttempts } from './commit-attempts.ts';
import { type ConnectionOptions, type Connections, openConnections, type Statement } from './connection.ts';
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

/** The store of many instances: one PostgreSQL database behind every port that a store has. */
export type PostgresStore = LinkStore &
  UploadLedger &
  StoreProbe & {
    statistics: StatisticsStore;
    /** Commits what is waiting, then closes every connection. */
    close(): Promise<void>;
  };

/** Of the pool, so many are for the statistics: a range over years of audit holds up no attempt. */
const STATISTICS_CONNECTIONS = 2;

const PROBE: Statement = { name: 'probe', text: 'SELECT 1::bigint AS one' };

/**
 * Opens the store, migrating the schema where needed.
 *
 * @param options.poolSize how many connections it has at most, 4 or more: those for the statistics, and two groups
 * @throws when the database cannot be reached, its schema is newer than the program, it answers commits
 *   before they are durable, or a move into it is not finished
 */
export async function openPostgresStore(
  options: ConnectionOptions & { poolSize: number },
): Promise<PostgresStore> {
  await prepareDatabase(options);
  const connections = openConnections(options, options.poolSize - STATISTICS_CONNECTIONS);
  const forStatistics = openConnections(options, STATISTICS_CONNECTIONS);
  const nextSlot = prepareNextSlot();
  const uploadLedger = prepareUploadLedger(connections);
  const attempts = groupCommit(prepareCommitAttempts(connections, nextSlot));
  const creations = groupCommit(prepareCreateLinks(connections, nextSlot));
  const uploads = groupCommit(uploadLedger.beginUploads);
  const looks = groupCommit(prepareFindLinks(connections));

  return {
    async create(link) {
      const result = await creations.add(link);
      if (result === 'upload-gone') {
        throw new Error('The upload of this link was given up before it ended, its file is removed');
      }
      return result;
    },
    find: rememberLinks(looks.add),
    read: prepareReadLink(connections),
    attempt: attempts.add,
    revoke: prepareRevokeLink(connections, nextSlot),
    expireDue: prepareExpireDue(connections, nextSlot),
    async begin(fileId, at) {
      await uploads.add({ fileId, at });
    },
    giveUp: uploadLedger.giveUpUpload,
    takeStale: uploadLedger.takeStaleUploads,
    forget: uploadLedger.forgetUpload,
    probe: () => probe(connections),
    statistics: prepareStatistics(forStatistics),
    async close() {
      await Promise.all([attempts.settled(), creations.settled(), uploads.settled(), looks.settled()]);
      await Promise.all([connections.end(), forStatistics.end()]);
    },
  };
}

async function probe(connections: Connections): Promise<number> {
  const [row] = await connections.lend((connection) => connection.query<{ one: number }>(PROBE));
  return row?.one ?? 0;
}

/** Done on a connection of its own, because a migration may take long. */
async function prepareDatabase(options: ConnectionOptions): Promise<void> {
  const connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  try {
    await refuseLazyCommits(connections);
    await migrate(connections);
    refuseUnfinishedMove(await readMoveMark(connections));
  } finally {
    await connections.end();
  }
}

const SYNCHRONOUS_COMMIT: Statement = { name: 'synchronous-commit', text: 'SHOW synchronous_commit' };

/** "An answer leaves only after its audit record and its view are durable." */
async function refuseLazyCommits(connections: Connections): Promise<void> {
  const [row] = await connections.read<{ synchronous_commit: string }>(SYNCHRONOUS_COMMIT);
  if (row?.synchronous_commit !== 'off') return;
  throw new Error(
    'The database answers commits before they are durable, so that a crash would lose views: ' +
      'synchronous_commit must not be off for this user and database.',
  );
}
