import type { Attempt } from '../../links/attempt.ts';
import { decideRevocation } from '../../links/decide-change.ts';
import type { Problem } from '../../links/problem.ts';
import type { Remote } from '../../threads/calls.ts';
import { type OnThreadDeath, startThread } from '../../threads/start-thread.ts';
import { toAttemptRow } from '../attempt-row.ts';
import { Batcher, MAX_BATCH_SIZE, MAX_BATCHES_IN_FLIGHT } from '../batcher.ts';
import { Departures } from '../departures.ts';
import { cacheLinks } from '../link-cache.ts';
import { readProjected } from '../read-projected.ts';
import { canBeStored } from '../sql/query.ts';
import type { Store } from '../store.ts';
import { translateErrors } from '../translate-errors.ts';
import type { DatabaseData, DatabaseOperations } from './database-thread.ts';
import { createLinkBatcher } from './link-batcher.ts';
import { toStoreError } from './unavailable.ts';

/**
 * Opens the store of many instances on one PostgreSQL database, creating the schema where there is none.
 *
 * @param options.poolSize the most connections, 4 or more: two for the statistics, two for batches
 * @param options.onThreadDeath is called when the thread of the store dies; its pending calls are rejected
 * @param options.maxBatchSize the most attempts that are committed together; for measurements
 * @throws when the database cannot be reached, it has another schema than the program, a connection fails its check,
 *   a pooler forgets prepared statements, or a move into it is not finished
 */
export async function openPostgresStore(
  options: DatabaseData & { maxBatchSize?: number; onThreadDeath?: OnThreadDeath },
): Promise<Store> {
  const { onThreadDeath: onDeath = () => {}, maxBatchSize = MAX_BATCH_SIZE, ...location } = options;
  const maxBatches = MAX_BATCHES_IN_FLIGHT + 1; // one of locked links
  const departures = new Departures({ maxBatches, maxBatchSize });
  const thread = await startThread<DatabaseOperations>(new URL('database-thread.ts', import.meta.url), {
    workerData: { ...location, departures: departures.flags },
    onDeath,
  });
  const database = translateErrors(thread, toStoreError);
  const attempts = createLinkBatcher(
    (batch: Attempt[], firstFlag) => database.commitAttempts(batch.map(toAttemptRow), firstFlag),
    { overlap: 'full-batches', maxBatchSize, departures },
  );
  const changes = createLinkBatcher(database.changeLinks);
  const revocations = createLinkBatcher(database.revokeLinks);
  const downloads = createLinkBatcher(database.recordDownloads);
  const creations = new Batcher(database.createLinks);
  const uploads = new Batcher(database.beginUploads);
  // One batch at a time: otherwise an older count of a key could arrive after a newer one, and replace it.
  const counts = new Batcher(database.addCounts, { overlap: 'never' });
  const lookups = new Batcher(database.findLinks, { overlap: 'full-batches' });
  const links = cacheLinks(async (shortCode) => (await lookups.add(shortCode)) ?? undefined);
  let problems = new Map<Problem, string>();
  // It ends with the thread, whose death is reported.
  forgetWithDatabase(database, links.forget).catch(() => {});

  return {
    create: (link, change, { hasLeft, idempotency } = {}) =>
      creations.add({ link, change, idempotency }, hasLeft),
    find: links.find,
    read: database.readLink,
    attempt: (attempt, hasLeft) => attempts.add(attempt, hasLeft),
    async change(shortCode, requested, change) {
      if (!canBeStored(shortCode)) return { result: 'not-found' };
      return changes.add({ shortCode, requested, change });
    },
    async revoke(shortCode, change) {
      if (!canBeStored(shortCode)) return decideRevocation(undefined).result;
      return revocations.add({ shortCode, change });
    },
    recordDownload: (download) => downloads.add(download),
    expireDue: database.expireDue,
    async begin(fileId, at) {
      await uploads.add({ fileId, at });
    },
    abandon: database.abandonUpload,
    claimStale: database.claimStaleUploads,
    delete: database.deleteUpload,
    correctTimes: database.correctTimes,
    probe: database.probe,
    async findProblems() {
      problems = new Map(await database.findProblems());
      return [...problems.keys()];
    },
    explainProblem: (problem) => problems.get(problem),
    ...readProjected(database, database.project),
    sharedCounts: { add: counts.add, deleteEnded: database.deleteEndedCounts },
    idempotency: database,
    keys: database,
    notifications: database,
    async close() {
      const batchers = [attempts, changes, revocations, downloads, creations, uploads, counts, lookups];
      await Promise.all(batchers.map((batcher) => batcher.settled()));
      await database.close();
      await database.end();
    },
  };
}

/** Calls `forget` each time the thread finds that its connections reach another database. */
async function forgetWithDatabase(
  { waitForOtherDatabase }: Pick<Remote<DatabaseOperations>, 'waitForOtherDatabase'>,
  forget: () => void,
): Promise<never> {
  for (let changes = 0; ; ) {
    changes = await waitForOtherDatabase(changes);
    forget();
  }
}
