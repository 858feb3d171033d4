import { messageOf } from '../../common/error-details.ts';
import type { Problem } from '../../core/model/problem.ts';
import { DatabaseUnavailableError } from '../../core/model/unavailable.ts';
import { cacheLinks } from '../link-cache.ts';
import { SQLITE } from '../sql/query.ts';
import { createFindLink, FIND_LINK } from '../sql/read-link.ts';
import { createReads } from '../sql/reads.ts';
import { type OnThreadDeath, startThread } from '../start-thread.ts';
import { batchOperations, type Store } from '../store.ts';
import { type Operation, translateErrors } from '../translate-errors.ts';
import type { CheckpointData, CheckpointOperations } from './checkpoint-thread.ts';
import { openForReading } from './connection.ts';
import { isDamageError, isUnavailable } from './errors.ts';
import { prepareQuery } from './query.ts';
import type { ReportOperations } from './statistics-thread.ts';
import type { WriterData, WriterOperations } from './writer-thread.ts';

/** Links that one transaction creates. 100 of the largest take 16 ms, and attempts wait for up to two transactions. */
const MAX_CREATIONS = 100;

/**
 * A change of many rows continues only once its write-ahead log is checkpointed: one checkpoint of a long log would
 * delay the flushes of attempts.
 */
const BULK_LOG_PAGES = 2_000;

/**
 * Twice the length from which on the write-ahead log is checkpointed: while it stays below, the same space is written
 * again and again, which is faster than a file that grows.
 */
const MAX_LOG_BYTES = 128 * 1024 * 1024;

export type SqliteOptions = WriterData &
  CheckpointData & {
    /** SQLite cuts a longer write-ahead log off once it restarts. */
    maxLogBytes?: number;
    onThreadDeath?: OnThreadDeath;
  };

/**
 * Opens the embedded store at `path`, creating it where there is none.
 *
 * @param options.onThreadDeath is called when a thread of the store dies; its pending calls are rejected
 * @throws when it has another schema than the program, a move into it is not finished, or the file cannot be opened
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { path } = options;
  const { writer, statistics, checkpointer } = await startThreads(options);
  const threads = [checkpointer, statistics, writer];
  const reader = await openReader(path).catch(async (error: unknown) => {
    await endThreads(threads);
    throw error;
  });
  const query = prepareQuery(reader);
  const damage = watchDamage();
  const reads = { find: createFindLink(query), ...createReads(query, SQLITE) };
  const database = damage.watch({ ...writer, ...statistics, ...reads });
  const { operations, settled } = batchOperations(database, cacheLinks(database.find), {
    creations: { maxBatchSize: MAX_CREATIONS },
  });
  let projectionFailure: string | undefined;

  return {
    ...operations,
    async expireDue(now, limit, notifiedLinks) {
      const expired = await database.expireDue(now, limit, notifiedLinks);
      await checkpointer.checkpoint(BULK_LOG_PAGES);
      return expired;
    },
    async findProblems() {
      projectionFailure = await writer.findProjectionFailure();
      const found = [...damage.findProblems(), ...(await writer.findProblems())];
      return [...found, ...(projectionFailure === undefined ? [] : (['projection_failing'] as const))];
    },
    explainProblem: (problem) =>
      problem === 'projection_failing' ? projectionFailure : damage.explainProblem(problem),
    measureFreeBytes: writer.measureFreeBytes,
    async close() {
      try {
        await settled();
        await checkpointer.close();
        await statistics.end(); // it only reads, which may take long
        reader.close();
        // Last, because the last connection to close checkpoints the write-ahead log.
        await writer.close();
      } finally {
        await endThreads(threads); // otherwise they would keep the process
      }
    },
  };
}

/** Watches whether SQLite reports a damaged file by an error of an operation. */
function watchDamage() {
  let damage: string | undefined;
  function translate(error: unknown): unknown {
    if (isDamageError(error)) damage ??= messageOf(error); // the first: a damaged file causes many
    return isUnavailable(error) ? new DatabaseUnavailableError(messageOf(error), { cause: error }) : error;
  }
  return {
    watch: <Operations extends Record<keyof Operations, Operation>>(operations: Operations) =>
      translateErrors(operations, translate),
    findProblems: (): Problem[] => (damage === undefined ? [] : ['database_damaged']),
    explainProblem: (problem: Problem) => (problem === 'database_damaged' ? damage : undefined),
  };
}

/** Opens the log now, since links are found also while that is not at its path. */
async function openReader(path: string) {
  const reader = openForReading(path);
  reader.prepare(FIND_LINK);
  return reader;
}

/** Starts the writer first: it creates the database. */
async function startThreads(options: SqliteOptions) {
  const { onThreadDeath: onDeath = () => {}, path, longLogPages, maxLogBytes = MAX_LOG_BYTES } = options;
  const { busyTimeoutMs, projector, lockTimeoutMs } = options;
  const writer = await startThread<WriterOperations>(new URL('writer-thread.ts', import.meta.url), {
    workerData: { path, busyTimeoutMs, projector, lockTimeoutMs, maxLogBytes },
    onDeath,
  });
  const others = [
    startThread<ReportOperations>(new URL('statistics-thread.ts', import.meta.url), {
      workerData: path,
      onDeath,
    }),
    startThread<CheckpointOperations>(new URL('checkpoint-thread.ts', import.meta.url), {
      workerData: { path, longLogPages, maxLogBytes },
      onDeath,
    }),
  ] as const;
  try {
    const [statistics, checkpointer] = await Promise.all(others);
    return { writer, statistics, checkpointer };
  } catch (error) {
    const started = (await Promise.allSettled(others)).filter((start) => start.status === 'fulfilled');
    await endThreads([writer, ...started.map(({ value }) => value)]);
    throw error;
  }
}

async function endThreads(threads: readonly { end(): Promise<void> }[]): Promise<void> {
  await Promise.all(threads.map((thread) => thread.end()));
}
