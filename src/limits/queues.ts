import type { BoundedQueue } from '../links/unavailable.ts';
import type { ExportBounds } from './history-queues.ts';
import { createFairQueue, type FairQueue } from './work-queue.ts';

/** At one hash in 12 ms on 2 cores, a full queue is 12 s of work, and one client's share 3 s. */
const PASSWORD_QUEUE = { name: 'passwords', maxWaiting: 1_000, maxWaitingPerClient: 250 } as const;
/** One statistic of each kind at a time: SQLite has one thread for them, PostgreSQL two connections. */
const STATISTICS_QUEUE = {
  name: 'statistics',
  concurrency: 1,
  maxWaiting: 100,
  maxWaitingPerClient: 30,
} as const;
/** Pages of histories and of the list. Each call takes a few milliseconds. */
const HISTORY_QUEUE = { ...STATISTICS_QUEUE, name: 'history' } as const;
/** An export holds about 0.3 MB while its client reads. */
export const EXPORT_BOUNDS: ExportBounds = { max: 40, maxPerClient: 4 };
const EXPORTS_QUEUE = {
  name: 'exports',
  concurrency: 1,
  maxWaiting: EXPORT_BOUNDS.max,
  maxWaitingPerClient: EXPORT_BOUNDS.maxPerClient,
} as const;
/**
 * A request of 1,000 links takes about 0.1 s. Its body has up to 4 MB, which is read when it is its turn: a client that
 * sends slowly delays itself, and the others have places.
 */
const BULK_QUEUE = {
  name: 'bulk',
  concurrency: 4,
  maxRunningPerClient: 1,
  maxWaiting: 100,
  maxWaitingPerClient: 10,
} as const;

/** Creates the queue of password hashes. */
export function createPasswordQueue(hashesAtOnce: number): FairQueue {
  return createFairQueue({ ...PASSWORD_QUEUE, concurrency: hashesAtOnce });
}

/**
 * Creates all queues of the service.
 *
 * @param watch is called with each name, and what returns how much work waits there
 */
export function createQueues(
  hashesAtOnce: number,
  watch: (name: BoundedQueue, waiting: () => number) => void,
) {
  const passwords = createPasswordQueue(hashesAtOnce);
  const bulk = createFairQueue(BULK_QUEUE);
  const [audit, rollups] = [createFairQueue(STATISTICS_QUEUE), createFairQueue(STATISTICS_QUEUE)];
  const history = { pages: createFairQueue(HISTORY_QUEUE), exports: createFairQueue(EXPORTS_QUEUE) };
  watch('passwords', passwords.waiting);
  watch('bulk', bulk.waiting);
  watch('history', history.pages.waiting);
  watch('exports', history.exports.waiting);
  watch('statistics', () => audit.waiting() + rollups.waiting());
  return { passwords, bulk, statistics: { audit, rollups }, history };
}
