/** Commits items in batches. */
export type Batcher<Item, Result> = {
  /** Resolves with the item's result once its batch is durable; rejects when its batch was not committed. */
  add(item: Item): Promise<Result>;
  /** Resolves when no item is waiting. */
  settled(): Promise<void>;
};

export type BatcherOptions = {
  /** Bounds the time for which one transaction holds the store. */
  maxBatchSize?: number;
  /**
   * When a second batch may start while one is in flight: always, or only once it is as large as that one. Small
   * overlapping batches keep batches small, so 'full-batches' is for stores where a batch costs much whatever its
   * size. After `SLOW_BATCH_MS` any batch may start, so one locked link does not block the others.
   */
  overlap?: 'always' | 'full-batches';
};

const MAX_BATCH_SIZE = 512;
/** While one batch is flushed to disk, the next is already with the store. */
const MAX_BATCHES_IN_FLIGHT = 2;

/**
 * Waiting items are divided into two batches: while one is flushed, the other's clients get their responses and send
 * again. One batch of all would leave the store idle meanwhile: with 64 connections, 30 k attempts/s against 37 k.
 * Small batches are not divided: a flush costs more than they do.
 */
const SHARES = 2;
const MIN_BATCH_SIZE = 16;
/** Half of what a batch of this size costs PostgreSQL does not depend on its size. */
const FULL_BATCH_SIZE = 32;
/** A batch that takes longer waits for something other than its flush, such as a link that another instance locked. */
const SLOW_BATCH_MS = 50;

type Waiting<Item, Result> = { item: Item } & Pick<PromiseWithResolvers<Result>, 'resolve' | 'reject'>;

/**
 * Gathers items while the batch before them commits, so that one flush to disk serves many. An idle store waits for
 * no timer: it commits an item at once, with the others of the same turn of the event loop.
 *
 * @param commit makes a batch durable and returns one result per item in their order, or fails the whole batch
 */
export function createBatcher<Item, Result>(
  commit: (items: Item[]) => Promise<Result[]>,
  { maxBatchSize = MAX_BATCH_SIZE, overlap = 'always' }: BatcherOptions = {},
): Batcher<Item, Result> {
  const needsFullBatches = overlap === 'full-batches';
  const minBatchSize = Math.min(needsFullBatches ? FULL_BATCH_SIZE : MIN_BATCH_SIZE, maxBatchSize);
  const waiting: Waiting<Item, Result>[] = [];
  const inFlight = new Set<Promise<void>>();
  let itemsInFlight = 0;
  let slowBatches = 0;
  let isScheduled = false;

  function canSend(): boolean {
    if (inFlight.size >= MAX_BATCHES_IN_FLIGHT) return false;
    if (inFlight.size === 0 || !needsFullBatches || slowBatches > 0) return waiting.length > 0;
    return waiting.length >= Math.min(Math.max(itemsInFlight, minBatchSize), maxBatchSize);
  }

  function schedule(): void {
    if (isScheduled || !canSend()) return;
    isScheduled = true;
    if (needsFullBatches) sendWhenComplete(0);
    else setImmediate(send);
  }

  /** Waits for as long as each turn of the event loop adds items: clients that got their responses together return. */
  function sendWhenComplete(previousSize: number): void {
    if (waiting.length === previousSize || waiting.length >= minBatchSize) send();
    else setImmediate(sendWhenComplete, waiting.length);
  }

  function send(): void {
    isScheduled = false;
    const share = Math.ceil((waiting.length + itemsInFlight) / SHARES);
    const batch = waiting.splice(0, Math.min(Math.max(share, minBatchSize), maxBatchSize));
    itemsInFlight += batch.length;
    const stopWatching = needsFullBatches ? watchForSlowness() : () => {};
    const done = commitBatch(batch).then(() => {
      stopWatching();
      inFlight.delete(done);
      itemsInFlight -= batch.length;
      schedule();
    });
    inFlight.add(done);
    schedule();
  }

  /** Lets other batches start once the one that is sent now is slow. Returns a function to call when it ends. */
  function watchForSlowness(): () => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slowBatches += 1;
      schedule();
    }, SLOW_BATCH_MS);
    return () => {
      clearTimeout(timer);
      if (isSlow) slowBatches -= 1;
    };
  }

  async function commitBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(batch.map(({ item }) => item));
      if (results.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} items got ${results.length} results`);
      }
      results.forEach((result, index) => {
        batch[index]?.resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      });
    },
    async settled() {
      while (isScheduled || inFlight.size > 0)
        await (inFlight.size > 0 ? Promise.all(inFlight) : new Promise(setImmediate));
    },
  };
}
