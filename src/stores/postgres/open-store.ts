import type { Attempt } from '../../links/attempt.ts';
import type { LinkDefinition } from '../../links/link.ts';
import type { LinkStore, StatisticsStore, StoreProbe, UploadLedger } from '../../links/ports.ts';
import { type OnThreadDeath, startThread } from '../../threads/start-thread.ts';
import { toAttemptRow } from '../attempt-row.ts';
import { createBatcher } from '../batcher.ts';
import { cacheLinks } from '../link-cache.ts';
import type { DatabaseData, DatabaseOperations } from './database-thread.ts';

/** The store of many instances: one PostgreSQL database behind every port that a store has. */
export type PostgresStore = LinkStore &
  UploadLedger &
  StoreProbe & {
    statistics: StatisticsStore;
    /** Commits what is waiting, then closes every connection. */
    close(): Promise<void>;
  };

/**
 * Opens the store, migrating the schema where needed.
 *
 * @param options.poolSize how many connections it has at most, 4 or more: those for the statistics, and two groups
 * @param options.onThreadDeath is told when the thread of the store dies; what it had not answered is rejected
 * @param options.maxGroupSize the most attempts that are committed at once; to measure what groups are worth
 * @throws when the database cannot be reached, its schema is newer than the program, it answers commits
 *   before they are durable, or a move into it is not finished
 */
export async function openPostgresStore(
  options: DatabaseData & { maxGroupSize?: number; onThreadDeath?: OnThreadDeath },
): Promise<PostgresStore> {
  const { onThreadDeath: onDeath = () => {}, maxGroupSize, ...workerData } = options;
  const database = await startThread<DatabaseOperations>(new URL('database-thread.ts', import.meta.url), {
    workerData,
    onDeath,
  });
  type Group<Name extends keyof DatabaseOperations> = Parameters<DatabaseOperations[Name]>[0];
  const attempts = createBatcher(
    (group: Attempt[]) => database.call('commitAttempts', group.map(toAttemptRow)),
    maxGroupSize,
    'when large',
  );
  const creations = createBatcher((group: Group<'createLinks'>) => database.call('createLinks', group));
  const uploads = createBatcher((group: Group<'beginUploads'>) => database.call('beginUploads', group));
  async function findLinks(shortCodes: string[]): Promise<(LinkDefinition | undefined)[]> {
    const found = await database.call('findLinks', shortCodes);
    return found.map((facts) => facts ?? undefined);
  }
  const looks = createBatcher(findLinks, undefined, 'when large');

  return {
    async create(link) {
      const result = await creations.add(link);
      if (result === 'upload-gone') {
        throw new Error('The upload of this link was given up before it ended, its file is removed');
      }
      return result;
    },
    find: cacheLinks(looks.add),
    read: (shortCode) => database.call('readLink', shortCode),
    attempt: attempts.add,
    revoke: (shortCode) => database.call('revokeLink', shortCode),
    expireDue: (now, limit) => database.call('expireDue', { now, limit }),
    async begin(fileId, at) {
      await uploads.add({ fileId, at });
    },
    abandon: (fileId) => database.call('abandonUpload', fileId),
    claimStale: (startedBefore, limit) => database.call('claimStaleUploads', { startedBefore, limit }),
    forget: (fileId) => database.call('deleteUpload', fileId),
    probe: () => database.call('probe', null),
    statistics: {
      accessTotals: (range) => database.call('accessTotals', range),
      hourly: (range) => database.call('hourly', range),
      daily: (range) => database.call('daily', range),
      overTime: (unit, range) => database.call('overTime', [unit, range]),
      linkCounts: () => database.call('linkCounts', null),
      topLinks: (limit) => database.call('topLinks', limit),
      securityExceptions: (limit) => database.call('securityExceptions', limit),
    },
    async close() {
      await Promise.all([attempts.settled(), creations.settled(), uploads.settled(), looks.settled()]);
      await database.call('close', null);
      await database.end();
    },
  };
}
