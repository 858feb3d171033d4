import type { Attempt } from '../../links/attempt.ts';
import { type OnThreadDeath, startThread } from '../../threads/start-thread.ts';
import { AbortFlags } from '../abort-flags.ts';
import { toAttemptRow } from '../attempt-row.ts';
import { Batcher, MAX_BATCH_SIZE, MAX_BATCHES_IN_FLIGHT } from '../batcher.ts';
import { cacheLinks } from '../link-cache.ts';
import { readProjected } from '../read-projected.ts';
import { refusingLocked } from '../refuse-locked.ts';
import { createIdempotencyReads } from '../sql/idempotent-requests.ts';
import { createKeyReads } from '../sql/keys.ts';
import { createNotificationReads } from '../sql/notifications.ts';
import { SQLITE } from '../sql/query.ts';
import type { Store } from '../store.ts';
import type { CheckpointData, CheckpointOperations } from './checkpoint-thread.ts';
import { openForReading } from './connection.ts';
import { prepareFindLink } from './find-link.ts';
import { prepareQuery } from './query.ts';
import type { ReportOperations } from './statistics-thread.ts';
import { type OnCheckError, watchIntegrity } from './watch-integrity.ts';
import { watchLog } from './watch-log.ts';
import type { WriterData, WriterOperations } from './writer-thread.ts';

/** Links that one transaction creates. 100 of the largest take 16 ms, and attempts wait for up to two transactions. */
const MAX_CREATIONS = 100;

/**
 * A change of many rows continues only once its write-ahead log is checkpointed: one checkpoint of a long log would
 * delay the flushes of attempts.
 */
const BULK_LOG_PAGES = 2_000;

export type SqliteOptions = WriterData &
  CheckpointData & {
    /** From what length on the write-ahead log is a problem. */
    growingLogBytes?: number;
    onThreadDeath?: OnThreadDeath;
    onCheckError?: OnCheckError;
  };

/**
 * Opens the embedded store at `path`, creating it where there is none.
 *
 * @param options.onThreadDeath is called when a thread of the store dies; its pending calls are rejected
 * @throws when it has another schema than the program, a move into it is not finished, or the file cannot be opened
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { path } = options;
  const abortFlags = new AbortFlags({ maxBatches: MAX_BATCHES_IN_FLIGHT, maxBatchSize: MAX_BATCH_SIZE });
  const { writer, statistics, checkpointer } = await startThreads(options, abortFlags);
  const reader = openForReading(path);
  const query = prepareQuery(reader);
  const findLink = prepareFindLink(reader);
  const integrity = watchIntegrity({
    path,
    isChecked: await writer.isChecked(),
    setChecked: writer.setChecked,
    onCheckError: options.onCheckError,
  });
  const { guard } = integrity;
  const log = watchLog({
    path,
    growingLogBytes: options.growingLogBytes,
    readStatus: checkpointer.status,
  });
  const expireDue = guard(writer.expireDue);
  const commitAttempts = refusingLocked(guard(writer.commitAttempts));
  const attempts = new Batcher(
    (batch: Attempt[], firstFlag) => commitAttempts(batch.map(toAttemptRow), firstFlag),
    { abortFlags },
  );
  const creations = new Batcher(guard(writer.createLinks), { maxBatchSize: MAX_CREATIONS });
  const revocations = new Batcher(refusingLocked(guard(writer.revokeLinks)));
  const changes = new Batcher(refusingLocked(guard(writer.changeLinks)));
  const uploads = new Batcher(guard(writer.beginUploads));
  const downloads = new Batcher(refusingLocked(guard(writer.recordDownloads)));
  const reports = integrity.guardAll(statistics);
  let projectionFailure: string | undefined;

  return {
    create: (link, change, { isAborted, idempotency } = {}) =>
      creations.add({ link, change, idempotency }, isAborted),
    find: cacheLinks(guard(async (shortCode: string) => findLink(shortCode))).find,
    read: guard(writer.readLink),
    attempt: attempts.add,
    revoke: (shortCode, change) => revocations.add({ shortCode, change }),
    change: (shortCode, requested, change) => changes.add({ shortCode, requested, change }),
    recordDownload: (download) => downloads.add(download),
    async expireDue(now, limit, notifiedLinks) {
      const expired = await expireDue(now, limit, notifiedLinks);
      await checkpointer.checkpoint(BULK_LOG_PAGES);
      return expired;
    },
    async begin(fileId, at) {
      await uploads.add({ fileId, at });
    },
    abandon: guard(writer.abandonUpload),
    claimStale: guard(writer.claimStaleUploads),
    delete: guard(writer.deleteUpload),
    correctTimes: guard(writer.correctTimes),
    probe: writer.probe,
    async findProblems() {
      projectionFailure = await writer.findProjectionFailure();
      const found = await Promise.all([integrity.findProblems(), log.findProblems(), writer.findProblems()]);
      return [...found.flat(), ...(projectionFailure === undefined ? [] : (['projection_failing'] as const))];
    },
    explainProblem: (problem) =>
      problem === 'projection_failing'
        ? projectionFailure
        : (integrity.explainProblem(problem) ?? log.explainProblem(problem)),
    measureLog: log.measure,
    ...readProjected(reports, guard(writer.project)),
    idempotency: {
      ...integrity.guardAll(createIdempotencyReads(query)),
      deleteRequestsBefore: guard(writer.deleteRequestsBefore),
    },
    keys: {
      ...integrity.guardAll(createKeyReads(query)),
      addKey: guard(writer.addKey),
      revokeKey: guard(writer.revokeKey),
      recordKeyUse: guard(writer.recordKeyUse),
    },
    notifications: {
      ...integrity.guardAll(createNotificationReads(query, SQLITE)),
      beginCollection: guard(writer.beginCollection),
      enqueue: guard(writer.enqueue),
      leaseQueues: guard(writer.leaseQueues),
      settle: guard(writer.settle),
      retryFailed: guard(writer.retryFailed),
      deleteFailed: guard(writer.deleteFailed),
      deleteAllFailed: guard(writer.deleteAllFailed),
      deleteFailedBefore: guard(writer.deleteFailedBefore),
      discardWaiting: guard(writer.discardWaiting),
    },
    async close() {
      const batchers = [attempts, creations, changes, revocations, uploads, downloads];
      await Promise.all([...batchers.map((batcher) => batcher.settled()), integrity.stop()]);
      await checkpointer.close();
      await checkpointer.end();
      await statistics.end(); // it only reads, which may take long
      reader.close();
      // Last, because the last connection to close checkpoints the write-ahead log.
      await writer.close();
      await writer.end();
    },
  };
}

/** Starts the writer first: it creates the database. */
async function startThreads(options: SqliteOptions, abortFlags: AbortFlags) {
  const { onThreadDeath: onDeath = () => {}, path, longLogPages, maxLogBytes } = options;
  const { busyTimeoutMs, projector, isService, lockTimeoutMs } = options;
  const writer = await startThread<WriterOperations>(new URL('writer-thread.ts', import.meta.url), {
    workerData: { path, busyTimeoutMs, projector, isService, lockTimeoutMs, abortFlags: abortFlags.flags },
    onDeath,
  });
  const [statistics, checkpointer] = await Promise.all([
    startThread<ReportOperations>(new URL('statistics-thread.ts', import.meta.url), {
      workerData: path,
      onDeath,
    }),
    startThread<CheckpointOperations>(new URL('checkpoint-thread.ts', import.meta.url), {
      workerData: { path, longLogPages, maxLogBytes },
      onDeath,
    }),
  ]);
  return { writer, statistics, checkpointer };
}
