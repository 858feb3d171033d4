import type { Attempt, AttemptOutcome } from '../../links/attempt.ts';
import { dependsOnLink } from '../../links/decide-attempt.ts';
import { type OnThreadDeath, startThread } from '../../threads/start-thread.ts';
import { toAttemptRow } from '../attempt-row.ts';
import { Batcher } from '../batcher.ts';
import { cacheLinks } from '../link-cache.ts';
import type { Store } from '../store.ts';
import type { DatabaseData, DatabaseOperations } from './database-thread.ts';
import { LockWaitQueue } from './lock-wait-queue.ts';

/**
 * Opens the store of many instances on one PostgreSQL database, migrating the schema where needed.
 *
 * @param options.poolSize the most connections, 4 or more: two for the statistics, two for batches
 * @param options.onThreadDeath is called when the thread of the store dies; its pending calls are rejected
 * @param options.maxBatchSize the most attempts that are committed together; for measurements
 * @throws when the database cannot be reached, its schema is newer than the program, it confirms commits
 *   before they are durable, or a move into it is not finished
 */
export async function openPostgresStore(
  options: DatabaseData & { maxBatchSize?: number; onThreadDeath?: OnThreadDeath },
): Promise<Store> {
  const { onThreadDeath: onDeath = () => {}, maxBatchSize, ...workerData } = options;
  const database = await startThread<DatabaseOperations>(new URL('database-thread.ts', import.meta.url), {
    workerData,
    onDeath,
  });
  /** Those of a batch whose links other transactions hold are committed later. */
  async function commitAttempts(batch: Attempt[]): Promise<(AttemptOutcome | Promise<AttemptOutcome>)[]> {
    const outcomes = await database.commitAttempts(batch.map(toAttemptRow));
    return batch.map((attempt, index) => outcomes[index] ?? lockWaits.add(attempt));
  }
  const attempts = new Batcher(commitAttempts, {
    overlap: 'full-batches',
    ...(maxBatchSize !== undefined && { maxBatchSize }),
  });
  const lockWaits = new LockWaitQueue({
    tryCommit: (batch) => database.commitOnLockedLinks(batch.map(toAttemptRow)),
    commit: attempts.add,
    timeoutMs: options.statementTimeoutMs,
  });
  const creations = new Batcher(database.createLinks);
  const uploads = new Batcher(database.beginUploads);
  // One batch at a time: otherwise an older count of a key could arrive after a newer one, and replace it.
  const counts = new Batcher(database.addCounts, { overlap: 'never' });
  const lookups = new Batcher(database.findLinks, { overlap: 'full-batches' });

  return {
    create: (link, change) => creations.add({ link, change }),
    find: cacheLinks(async (shortCode) => (await lookups.add(shortCode)) ?? undefined),
    read: database.readLink,
    attempt: (attempt) =>
      lockWaits.has(attempt.shortCode) && dependsOnLink(attempt)
        ? lockWaits.add(attempt)
        : attempts.add(attempt),
    revoke: database.revokeLink,
    expireDue: database.expireDue,
    async begin(fileId, at) {
      await uploads.add({ fileId, at });
    },
    abandon: database.abandonUpload,
    claimStale: database.claimStaleUploads,
    delete: database.deleteUpload,
    probe: database.probe,
    findProblems: async () => [],
    statistics: database,
    sharedCounts: { add: counts.add, deleteEnded: database.deleteEndedCounts },
    keys: database,
    async close() {
      await attempts.settled();
      await lockWaits.settled();
      await Promise.all([creations, uploads, counts, lookups].map((batcher) => batcher.settled()));
      await database.close();
      await database.end();
    },
  };
}
