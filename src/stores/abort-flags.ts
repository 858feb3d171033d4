/** One flag for each item that the thread of a store holds: 1 when the item's client has closed its connection. */
export type AbortFlagArray = Uint8Array<SharedArrayBuffer>;

/** The result of an item that was dropped because its client had left. Nothing of it was committed. */
export const CLIENT_CLOSED = 'CLIENT_CLOSED';

/**
 * The flags of all batches that a store's thread holds. The request thread raises them, and the store's thread reads
 * them when it decides the batch. They are shared memory, because a thread that waits for a lock reads no messages.
 */
export class AbortFlags {
  /** For the thread of the store. */
  readonly flags: AbortFlagArray;
  readonly #maxBatchSize: number;
  readonly #free: number[];

  constructor({ maxBatches, maxBatchSize }: { maxBatches: number; maxBatchSize: number }) {
    this.flags = new Uint8Array(new SharedArrayBuffer(maxBatches * maxBatchSize));
    this.#maxBatchSize = maxBatchSize;
    this.#free = Array.from({ length: maxBatches }, (_, batch) => batch * maxBatchSize);
  }

  /** Reserves the flags of a batch. Returns the index of the first. */
  reserve(): number {
    const firstFlag = this.#free.pop();
    if (firstFlag === undefined) throw new Error('More batches are in flight than have abort flags');
    return firstFlag;
  }

  raise(flag: number): void {
    Atomics.store(this.flags, flag, 1);
  }

  /** Lowers and releases the flags of a batch, once the thread does not read them any more. */
  release(firstFlag: number): void {
    this.flags.fill(0, firstFlag, firstFlag + this.#maxBatchSize);
    this.#free.push(firstFlag);
  }
}

/** Returns true for an attempt of a batch, by its index, whose client has left. */
export type IsAborted = (index: number) => boolean;

/** Returns the function that reads the flags of one batch. */
export function readAbortFlags(flags: AbortFlagArray, firstFlag: number): IsAborted {
  return (index) => Atomics.load(flags, firstFlag + index) === 1;
}
