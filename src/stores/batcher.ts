import { ClientClosedError, OverloadedError } from '../core/model/unavailable.ts';
import type { Receiver } from '../core/ports/ports.ts';

export type BatcherOptions = {
  /** Bounds the time for which one transaction holds the store. */
  maxBatchSize?: number;
  /**
   * Decides when a second batch may start while one is in flight: always, or only once it is as large as that one.
   * Small overlapping batches keep batches small, so 'full-batches' is for stores where even a small batch costs much.
   * After `SLOW_BATCH_MS` any batch may start, so a slow one does not block the others. 'never' keeps the results
   * in the order of the commits.
   */
  overlap?: 'always' | 'full-batches' | 'never';
  /** The maximum of items that wait. Further ones are refused, so that a slow store does not fill the memory. */
  maxWaiting?: number;
  /** Called for each batch when it was committed or failed. */
  onBatch?: (batch: { size: number; seconds: number }) => void;
};

const MAX_BATCH_SIZE = 512;
/** The number of items that a working store commits in less than a second. */
const MAX_WAITING = 10_000;
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
/** A batch that takes longer waits for something other than its flush, such as a row that another instance locked. */
export const SLOW_BATCH_MS = 50;

/** An item with the receiver of its result. */
export type Waiting<Item, Result> = Receiver<Result> & {
  item: Item;
  isAborted: (() => boolean) | undefined;
};

/** Makes a batch durable and returns one result per item in their order, or fails the whole batch. */
type Commit<Item, Result> = (items: Item[]) => Promise<Result[]>;

/**
 * Gathers items while the batch before them commits, so that one flush to disk serves many. An idle store waits for
 * no timer, only for turns of the event loop, which bring further items.
 */
export class Batcher<Item, Result> {
  readonly #commit: Commit<Item, Result>;
  readonly #maxBatchSize: number;
  readonly #minBatchSize: number;
  readonly #needsFullBatches: boolean;
  readonly #maxInFlight: number;
  readonly #maxWaiting: number;
  readonly #onBatch: BatcherOptions['onBatch'];
  readonly #waiting: Waiting<Item, Result>[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #itemsInFlight = 0;
  #slowBatches = 0;
  #isScheduled = false;

  constructor(commit: Commit<Item, Result>, options: BatcherOptions = {}) {
    const { maxBatchSize = MAX_BATCH_SIZE, overlap = 'always', maxWaiting = MAX_WAITING } = options;
    this.#commit = commit;
    this.#onBatch = options.onBatch;
    this.#maxBatchSize = maxBatchSize;
    this.#maxWaiting = maxWaiting;
    this.#needsFullBatches = overlap === 'full-batches';
    this.#maxInFlight = overlap === 'never' ? 1 : MAX_BATCHES_IN_FLIGHT;
    this.#minBatchSize = Math.min(this.#needsFullBatches ? FULL_BATCH_SIZE : MIN_BATCH_SIZE, maxBatchSize);
  }

  /**
   * Resolves with the item's result once its batch is durable; rejects when it was not committed, with
   * `OverloadedError` when too many items are waiting, and with `ClientClosedError` when its client left while it waited
   * for a batch.
   */
  add = (item: Item, isAborted?: () => boolean): Promise<Result> =>
    new Promise((resolve, reject) => this.push({ item, isAborted, resolve, reject }));

  /** Does the same for a receiver. */
  push(waiting: Waiting<Item, Result>): void {
    if (this.#waiting.length >= this.#maxWaiting) {
      waiting.reject(new OverloadedError('store'));
      return;
    }
    this.#waiting.push(waiting);
    this.#schedule();
  }

  /** Returns how many items wait for a batch. */
  waiting = (): number => this.#waiting.length;

  /** Resolves when no item is waiting. */
  async settled(): Promise<void> {
    while (this.#isScheduled || this.#inFlight.size > 0)
      await (this.#inFlight.size > 0 ? Promise.all(this.#inFlight) : new Promise(setImmediate));
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#canSend()) return;
    this.#isScheduled = true;
    if (this.#needsFullBatches) this.#sendWhenComplete(0);
    else setImmediate(() => this.#send());
  }

  #canSend(): boolean {
    if (this.#inFlight.size >= this.#maxInFlight) return false;
    if (this.#inFlight.size === 0 || !this.#needsFullBatches || this.#slowBatches > 0)
      return this.#waiting.length > 0;
    const neededSize = Math.max(this.#itemsInFlight, this.#minBatchSize);
    return this.#waiting.length >= Math.min(neededSize, this.#maxBatchSize);
  }

  /** Waits for as long as each turn of the event loop adds items: clients that got their responses together return. */
  #sendWhenComplete(previousSize: number): void {
    const size = this.#waiting.length;
    if (size === previousSize || size >= this.#minBatchSize) this.#send();
    else setImmediate(() => this.#sendWhenComplete(size));
  }

  #send(): void {
    this.#isScheduled = false;
    const batch = this.#takeBatch();
    if (batch.length > 0) this.#start(batch);
    this.#schedule();
  }

  #start(batch: Waiting<Item, Result>[]): void {
    this.#itemsInFlight += batch.length;
    const stopWatching = this.#watch();
    const done = this.#commitBatch(batch).then(() => {
      stopWatching();
      this.#inFlight.delete(done);
      this.#itemsInFlight -= batch.length;
      this.#schedule();
    });
    this.#inFlight.add(done);
  }

  /** Takes the next share of the waiting items, and drops those whose clients have left. */
  #takeBatch(): Waiting<Item, Result>[] {
    const share = Math.ceil(
      (this.#waiting.length + this.#itemsInFlight) / Math.min(SHARES, this.#maxInFlight),
    );
    const items = this.#waiting.splice(0, Math.min(Math.max(share, this.#minBatchSize), this.#maxBatchSize));
    return items.filter(({ isAborted, reject }) => {
      if (!isAborted?.()) return true;
      reject(new ClientClosedError('store'));
      return false;
    });
  }

  /** While a batch is slow, lets other batches start. Returns a function to call when the batch ends. */
  #watch(): () => void {
    if (!this.#needsFullBatches) return () => {};
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#slowBatches += 1;
      this.#schedule();
    }, SLOW_BATCH_MS);
    return () => {
      clearTimeout(timer);
      if (isSlow) this.#slowBatches -= 1;
    };
  }

  async #commitBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    const startedAt = performance.now();
    let settle: () => void;
    try {
      const results = await this.#commit(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error(`a batch of ${batch.length} items got ${results.length} results`);
      settle = () => {
        for (const [index, result] of results.entries()) batch[index]?.resolve(result);
      };
    } catch (error) {
      settle = () => {
        for (const { reject } of batch) reject(error);
      };
    }
    this.#onBatch?.({ size: batch.length, seconds: (performance.now() - startedAt) / 1000 });
    settle();
  }
}
