import type { Attempt } from '../../links/attempt.ts';
import type { LinkStore, StatisticsStore, StoreProbe, UploadLedger } from '../../links/ports.ts';
import { type OnThreadDeath, startThread } from '../../threads/start-thread.ts';
import { toAttemptRow } from '../attempt-row.ts';
import { createBatcher } from '../batcher.ts';
import { cacheLinks } from '../link-cache.ts';
import type { CheckpointData, CheckpointOperations } from './checkpoint-thread.ts';
import { openForReading } from './connection.ts';
import { prepareFindLink } from './find-link.ts';
import { prepareReadLink } from './read-link.ts';
import type { StatisticsOperations } from './statistics-thread.ts';
import type { WriterData, WriterOperations } from './writer-thread.ts';

/**
 * A change of many rows goes on only when the log that it made is folded: flushing a long one into the file at once
 * holds up the flushes of attempts.
 */
const BULK_LOG_PAGES = 2_000;

/** The embedded store: one SQLite file behind every port that a store has. */
export type SqliteStore = LinkStore &
  UploadLedger &
  StoreProbe & {
    statistics: StatisticsStore;
    /** Commits what is waiting, then closes the file. */
    close(): Promise<void>;
  };

/**
 * Opens the store at `path`, making it and migrating its schema where needed.
 *
 * @param options.onThreadDeath is told when a thread of the store dies; what it had not answered is rejected
 * @throws when the schema is newer than the program, a move into it is not finished, or the file cannot be opened
 */
export async function openSqliteStore(
  options: WriterData & CheckpointData & { onThreadDeath?: OnThreadDeath },
): Promise<SqliteStore> {
  const { onThreadDeath: onDeath = () => {}, path, busyTimeoutMs, longLogPages } = options;
  const writer = await startThread<WriterOperations>(new URL('writer-thread.ts', import.meta.url), {
    workerData: { path, busyTimeoutMs },
    onDeath,
  });
  const [statistics, checkpointer] = await Promise.all([
    startThread<StatisticsOperations>(new URL('statistics-thread.ts', import.meta.url), {
      workerData: { path },
      onDeath,
    }),
    startThread<CheckpointOperations>(new URL('checkpoint-thread.ts', import.meta.url), {
      workerData: { path, longLogPages },
      onDeath,
    }),
  ]);
  const reader = openForReading(path);
  const findLink = prepareFindLink(reader);
  const readLink = prepareReadLink(reader);
  type Group<Name extends keyof WriterOperations> = Parameters<WriterOperations[Name]>[0];
  const attempts = createBatcher((group: Attempt[]) =>
    writer.call('commitAttempts', group.map(toAttemptRow)),
  );
  const creations = createBatcher((group: Group<'createLinks'>) => writer.call('createLinks', group));
  const uploads = createBatcher((group: Group<'beginUploads'>) => writer.call('beginUploads', group));

  return {
    async create(link) {
      const result = await creations.add(link);
      if (result === 'upload-gone') {
        throw new Error('The upload of this link was given up before it ended, its file is removed');
      }
      return result;
    },
    find: cacheLinks(async (shortCode) => findLink(shortCode)),
    read: async (shortCode) => readLink(shortCode),
    attempt: (attempt) => attempts.add(attempt),
    revoke: (shortCode) => writer.call('revokeLink', shortCode),
    async expireDue(now, limit) {
      const expired = await writer.call('expireDue', { now, limit });
      await checkpointer.call('fold', BULK_LOG_PAGES);
      return expired;
    },
    async begin(fileId, at) {
      await uploads.add({ fileId, at });
    },
    abandon: (fileId) => writer.call('abandonUpload', fileId),
    claimStale: (startedBefore, limit) => writer.call('claimStaleUploads', { startedBefore, limit }),
    forget: (fileId) => writer.call('deleteUpload', fileId),
    probe: () => writer.call('probe', null),
    statistics: {
      accessTotals: (range) => statistics.call('accessTotals', range),
      hourly: (range) => statistics.call('hourly', range),
      daily: (range) => statistics.call('daily', range),
      overTime: (unit, range) => statistics.call('overTime', [unit, range]),
      linkCounts: () => statistics.call('linkCounts', null),
      topLinks: (limit) => statistics.call('topLinks', limit),
      securityExceptions: (limit) => statistics.call('securityExceptions', limit),
    },
    async close() {
      await Promise.all([attempts.settled(), creations.settled(), uploads.settled()]);
      await checkpointer.call('close', null);
      await checkpointer.end();
      await statistics.end(); // a reader, which may be in the midst of years of audit
      reader.close();
      // Last, because the last connection to close is the one that folds the write-ahead log into the file.
      await writer.call('close', null);
      await writer.end();
    },
  };
}
