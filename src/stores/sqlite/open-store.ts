import type { LinkStore, StatisticsStore, StoreProbe, UploadLedger } from '../../links/ports.ts';
import { groupCommit } from '../group-commit.ts';
import { rememberLinks } from '../remember-links.ts';
import { openForReading } from './connection.ts';
import { prepareFindLink } from './find-link.ts';
import type { StatisticsOperations } from './statistics-thread.ts';
import { startWorker } from './worker-calls.ts';
import type { WriterData, WriterOperations } from './writer-thread.ts';

/** The embedded store: one SQLite file behind every port that a store has. */
export type SqliteStore = LinkStore &
  UploadLedger &
  StoreProbe & {
    statistics: StatisticsStore;
    /** Commits what is waiting, then closes the file. */
    close(): Promise<void>;
  };

/** Bounds how long one transaction holds the store; measured, larger groups gain nothing (`npm run bench`). */
const MAX_GROUP_SIZE = 256;

/**
 * Opens the store at `path`, making it and migrating its schema where needed.
 *
 * @throws when the schema is newer than the program, or the file cannot be opened
 */
export async function openSqliteStore(options: WriterData): Promise<SqliteStore> {
  const { path } = options;
  const writer = await startWorker<WriterOperations>(new URL('writer-thread.ts', import.meta.url), options);
  const statistics = await startWorker<StatisticsOperations>(
    new URL('statistics-thread.ts', import.meta.url),
    { path },
  );
  const reader = openForReading(path);
  const findLink = prepareFindLink(reader);

  const attempts = groupCommit((group: Parameters<WriterOperations['commitAttempts']>[0]) => {
    return writer.call('commitAttempts', group);
  }, MAX_GROUP_SIZE);
  const creations = groupCommit((group: Parameters<WriterOperations['createLinks']>[0]) => {
    return writer.call('createLinks', group);
  }, MAX_GROUP_SIZE);
  const uploads = groupCommit((group: Parameters<WriterOperations['beginUploads']>[0]) => {
    return writer.call('beginUploads', group);
  }, MAX_GROUP_SIZE);

  return {
    async create(link) {
      const result = await creations.add(link);
      if (result === 'upload-gone') {
        throw new Error('The upload of this link was given up before it ended, its file is removed');
      }
      return result;
    },
    find: rememberLinks(async (shortCode) => findLink(shortCode)),
    attempt: (attempt) => attempts.add(attempt),
    revoke: (shortCode) => writer.call('revokeLink', shortCode),
    expireDue: (now, limit) => writer.call('expireDue', { now, limit }),
    async begin(fileId, at) {
      await uploads.add({ fileId, at });
    },
    giveUp: (fileId) => writer.call('giveUpUpload', fileId),
    takeStale: (startedBefore, limit) => writer.call('takeStaleUploads', { startedBefore, limit }),
    forget: (fileId) => writer.call('forgetUpload', fileId),
    probe: () => writer.call('probe', null),
    statistics: {
      accessTotals: (range) => statistics.call('accessTotals', range),
      hourly: (range) => statistics.call('hourly', range),
      daily: (range) => statistics.call('daily', range),
      linkCounts: () => statistics.call('linkCounts', null),
      topLinks: (limit) => statistics.call('topLinks', limit),
      securityExceptions: (limit) => statistics.call('securityExceptions', limit),
    },
    async close() {
      await Promise.all([attempts.settled(), creations.settled(), uploads.settled()]);
      await statistics.close();
      reader.close();
      // Last, because the last connection to close is the one that folds the write-ahead log into the file.
      await writer.close();
    },
  };
}
