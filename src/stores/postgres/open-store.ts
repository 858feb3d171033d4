import type { Problem } from '../../core/model/problem.ts';
import { Batcher } from '../batcher.ts';
import type { Remote } from '../calls.ts';
import { cacheLinks } from '../link-cache.ts';
import { type OnThreadDeath, startThread } from '../start-thread.ts';
import { batchOperations, type Store } from '../store.ts';
import { translateErrors } from '../translate-errors.ts';
import type { DatabaseData, DatabaseOperations } from './database-thread.ts';
import { toStoreError } from './errors.ts';

/**
 * Opens the store of many instances on one PostgreSQL database, creating the schema where there is none.
 *
 * @param options.poolSize the most connections, 4 or more: two for the statistics, two for batches
 * @param options.onThreadDeath is called when the thread of the store dies; its pending calls are rejected
 * @param options.maxBatchSize the most attempts that are committed together; for measurements
 * @throws when the database cannot be reached, it has another schema than the program, a connection fails its check,
 *   or a move into it is not finished
 */
export async function openPostgresStore(
  options: DatabaseData & { maxBatchSize?: number; onThreadDeath?: OnThreadDeath },
): Promise<Store> {
  const { onThreadDeath: onDeath = () => {}, maxBatchSize, ...location } = options;
  const thread = await startThread<DatabaseOperations>(new URL('database-thread.ts', import.meta.url), {
    workerData: location,
    onDeath,
  });
  const database = translateErrors(thread, toStoreError);
  // One batch at a time: otherwise an older count of a key could arrive after a newer one, and replace it.
  const counts = new Batcher(database.addCounts, { overlap: 'never' });
  const lookups = new Batcher(database.findLinks, { overlap: 'full-batches' });
  const links = cacheLinks(async (shortCode) => (await lookups.add(shortCode)) ?? undefined);
  const { operations, settled } = batchOperations(database, links, {
    attempts: { overlap: 'full-batches', ...(maxBatchSize !== undefined && { maxBatchSize }) },
  });
  let problems = new Map<Problem, string>();
  // It ends with the thread, whose death is reported.
  forgetWithServer(database, links.forget).catch(() => {});

  return {
    ...operations,
    async findProblems() {
      problems = new Map(await database.findProblems());
      return [...problems.keys()];
    },
    explainProblem: (problem) => problems.get(problem),
    measurePools: database.measurePools,
    sharedCounts: { add: counts.add, deleteEnded: database.deleteEndedCounts },
    async close() {
      try {
        await Promise.all([settled(), counts.settled(), lookups.settled()]);
        await database.close();
      } finally {
        await database.end(); // otherwise it would keep the process
      }
    },
  };
}

/** Calls `forget` each time the thread finds that its connections reach another server. */
async function forgetWithServer(
  { waitForOtherServer }: Pick<Remote<DatabaseOperations>, 'waitForOtherServer'>,
  forget: () => void,
): Promise<never> {
  for (let changes = 0; ; ) {
    changes = await waitForOtherServer(changes);
    forget();
  }
}
