import type { HasLeft } from '../../links/ports.ts';
import { Batcher, type BatcherOptions } from '../batcher.ts';
import { LOCKED, LockWaitQueue, type Sent, type TryOutcome } from './lock-wait-queue.ts';

type Options<Item extends { shortCode: string }, Outcome> = {
  /** Commits a batch of all links. It waits for locks a short time. */
  commit: (items: Item[], firstFlag: number) => Promise<TryOutcome<Outcome>[]>;
  /** Commits those items whose links are free. It may wait for one link, a short time. */
  commitOnLockedLinks: (items: Item[]) => Promise<TryOutcome<Outcome>[]>;
  /** For how long an item waits for its link; null: without a limit. */
  timeoutMs: number | null;
  /** Returns false for an item that can be committed although its link is locked. */
  needsLink?: (item: Item) => boolean;
};

/** Gathers items in batches. Those whose links other transactions hold wait apart, and are committed later. */
export class LockAwareBatcher<Item extends { shortCode: string }, Outcome> {
  readonly #batches: Batcher<Sent<Item>, Outcome>;
  readonly #lockWaits: LockWaitQueue<Item, Outcome>;
  readonly #needsLink: (item: Item) => boolean;

  constructor(options: Options<Item, Outcome>, batcherOptions: BatcherOptions = {}) {
    const { commit, commitOnLockedLinks, timeoutMs, needsLink = () => true } = options;
    this.#needsLink = needsLink;
    this.#batches = new Batcher(async (batch, firstFlag) => {
      const outcomes = await commit(
        batch.map(({ item }) => item),
        firstFlag,
      );
      return batch.map((sent, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) throw new Error(`item ${index} of a batch got no outcome`);
        return outcome === LOCKED ? this.#lockWaits.add(sent) : outcome;
      });
    }, batcherOptions);
    this.#lockWaits = new LockWaitQueue({
      tryCommit: commitOnLockedLinks,
      commit: (sent) => this.#batches.add(sent, sent.hasLeft),
      timeoutMs,
    });
  }

  /** Resolves with the outcome of an item once it is durable. Rejects as `Batcher` and `LockWaitQueue` do. */
  add(item: Item, hasLeft?: HasLeft): Promise<Outcome> {
    const sent = { item, hasLeft };
    return this.#lockWaits.has(item.shortCode) && this.#needsLink(item)
      ? this.#lockWaits.add(sent)
      : this.#batches.add(sent, hasLeft);
  }

  /** Resolves when no item is waiting. */
  async settled(): Promise<void> {
    await this.#batches.settled();
    await this.#lockWaits.settled();
  }
}
