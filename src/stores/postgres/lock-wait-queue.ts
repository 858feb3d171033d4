import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../../links/database-unavailable.ts';
import { AbandonedError, OverloadedError } from '../../links/overload.ts';
import type { HasLeft } from '../../links/ports.ts';
import { ABANDONED } from '../departures.ts';

/** What a client sent about one link, with a function that tells whether the client has left. */
export type Sent<Item extends { shortCode: string }> = Readonly<{ item: Item; hasLeft: HasLeft | undefined }>;

/** The outcome of an item whose link another transaction holds. Nothing of it was committed. */
export const LOCKED = 'LOCKED';

/** The outcome of an item in one transaction. */
export type TryOutcome<Outcome> = Outcome | typeof ABANDONED | typeof LOCKED;

export type LockWaitQueueOptions<Item extends { shortCode: string }, Outcome> = {
  /** Commits those items whose links are free. It may wait for one link, a short time. */
  tryCommit: (items: Item[]) => Promise<TryOutcome<Outcome>[]>;
  /** Commits an item in the next batch of all links, which adds it here again if its link is locked again. */
  commit: (sent: Sent<Item>) => Promise<Outcome>;
  /** For how long an item waits; null: without a limit. */
  timeoutMs: number | null;
  /** How many items may wait. Further ones are refused. */
  maxWaiting?: number;
};

/** Half of what the batcher accepts: it gets all items of a link at once when that becomes free. */
const MAX_WAITING = 5_000;
const MAX_TRIED = 512;
/** Between two tries, so that others get the connection. */
const PAUSE_MS = 5;

type Waiting<Item extends { shortCode: string }, Outcome> = {
  sent: Sent<Item>;
  deadline: number;
} & PromiseWithResolvers<Outcome>;

/**
 * Items about links that other transactions hold for longer than a batch can wait. They wait here, so that a locked
 * link delays no other. One transaction at a time tries to commit some of them; it takes turns between the links.
 */
export class LockWaitQueue<Item extends { shortCode: string }, Outcome> {
  readonly #options: LockWaitQueueOptions<Item, Outcome>;
  readonly #maxWaiting: number;
  readonly #timeoutMs: number;
  /** The link that is tried next comes first. */
  readonly #waiting = new Map<string, Waiting<Item, Outcome>[]>();
  /** The items that are in a batch of all links, after they waited here. */
  readonly #inBatches = new Map<Sent<Item>, Waiting<Item, Outcome>>();
  readonly #unsettled = new Set<Promise<void>>();
  #isRunning = false;

  constructor(options: LockWaitQueueOptions<Item, Outcome>) {
    this.#options = options;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
    this.#timeoutMs = options.timeoutMs ?? Number.POSITIVE_INFINITY;
  }

  /** Returns whether items of this link are waiting, so that another one must wait as well. */
  has(shortCode: string): boolean {
    return this.#waiting.has(shortCode);
  }

  /**
   * Resolves with the outcome of an item once it is durable. Rejects when its link stays locked until the time-out,
   * when it cannot be committed, with `OverloadedError` when too many items are waiting, and with `AbandonedError`
   * when its client leaves before a try.
   */
  add(sent: Sent<Item>): Promise<Outcome> {
    const before = this.#inBatches.get(sent);
    if (before) {
      this.#enqueue(before);
      return before.promise;
    }
    if (this.#unsettled.size >= this.#maxWaiting) return Promise.reject(new OverloadedError('store'));
    const resolvers = Promise.withResolvers<Outcome>();
    const remove = () => void this.#unsettled.delete(settled);
    const settled = resolvers.promise.then(remove, remove);
    this.#unsettled.add(settled);
    this.#enqueue({ sent, deadline: performance.now() + this.#timeoutMs, ...resolvers });
    return resolvers.promise;
  }

  /** Resolves when no item is waiting. */
  async settled(): Promise<void> {
    while (this.#unsettled.size > 0) await Promise.all(this.#unsettled);
  }

  #enqueue(waiting: Waiting<Item, Outcome>): void {
    const { shortCode } = waiting.sent.item;
    const ofLink = this.#waiting.get(shortCode);
    if (ofLink) ofLink.push(waiting);
    else this.#waiting.set(shortCode, [waiting]);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await new Promise(setImmediate); // for the other items of the same batch
    while (this.#waiting.size > 0) {
      this.#dropAbandoned();
      if (this.#waiting.size === 0) break;
      const hasCommitted = await this.#try(this.#selectNext());
      if (!hasCommitted) await pause(PAUSE_MS);
      this.#rejectOverdue();
    }
    this.#isRunning = false;
  }

  /** Returns some items of each link, so that none keeps the others from their turn. */
  #selectNext(): Waiting<Item, Outcome>[] {
    const share = Math.max(1, Math.floor(MAX_TRIED / this.#waiting.size));
    const selected: Waiting<Item, Outcome>[] = [];
    for (const ofLink of this.#waiting.values()) {
      if (selected.length >= MAX_TRIED) break;
      selected.push(...ofLink.slice(0, share));
    }
    return selected;
  }

  /** Returns whether any of these items was committed. */
  async #try(selected: readonly Waiting<Item, Outcome>[]): Promise<boolean> {
    const ended = new Set<Waiting<Item, Outcome>>();
    const freeLinks = new Set<string>();
    try {
      const outcomes = await this.#options.tryCommit(selected.map(({ sent }) => sent.item));
      for (const [index, waiting] of selected.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) throw new Error(`item ${index} of a try got no outcome`);
        if (outcome === LOCKED || outcome === ABANDONED) continue;
        waiting.resolve(outcome);
        ended.add(waiting);
        freeLinks.add(waiting.sent.item.shortCode);
      }
    } catch (error) {
      for (const waiting of selected) {
        waiting.reject(error);
        ended.add(waiting);
      }
    }
    this.#putBack(selected, ended, freeLinks);
    return freeLinks.size > 0;
  }

  /**
   * Lets links that are still locked wait for their next turn. The first one, which had waited for its lock, comes last.
   * Items of free links go to the batches of all links.
   */
  #putBack(
    selected: readonly Waiting<Item, Outcome>[],
    ended: ReadonlySet<Waiting<Item, Outcome>>,
    freeLinks: ReadonlySet<string>,
  ): void {
    const [first = [], ...others] = [...new Set(selected.map(({ sent }) => sent.item.shortCode))];
    for (const shortCode of others.concat(first)) {
      const remaining = (this.#waiting.get(shortCode) ?? []).filter((waiting) => !ended.has(waiting));
      this.#waiting.delete(shortCode);
      if (freeLinks.has(shortCode)) for (const waiting of remaining) void this.#commitInBatch(waiting);
      else if (remaining.length > 0) this.#waiting.set(shortCode, remaining);
    }
  }

  async #commitInBatch(waiting: Waiting<Item, Outcome>): Promise<void> {
    this.#inBatches.set(waiting.sent, waiting);
    try {
      waiting.resolve(await this.#options.commit(waiting.sent));
    } catch (error) {
      waiting.reject(error);
    }
    this.#inBatches.delete(waiting.sent);
  }

  #dropAbandoned(): void {
    this.#rejectIf(
      ({ sent }) => sent.hasLeft?.() ?? false,
      () => new AbandonedError('store'),
    );
  }

  #rejectOverdue(): void {
    const now = performance.now();
    this.#rejectIf(
      ({ deadline }) => deadline <= now,
      () => this.#lockedTooLong(),
    );
  }

  #rejectIf(isRejected: (waiting: Waiting<Item, Outcome>) => boolean, createError: () => Error): void {
    for (const [shortCode, ofLink] of this.#waiting) {
      const rejected = new Set(ofLink.filter(isRejected));
      if (rejected.size === 0) continue;
      for (const { reject } of rejected) reject(createError());
      const remaining = ofLink.filter((waiting) => !rejected.has(waiting));
      if (remaining.length > 0) this.#waiting.set(shortCode, remaining);
      else this.#waiting.delete(shortCode);
    }
  }

  #lockedTooLong(): Error {
    return new DatabaseUnavailableError(
      `Another session has locked the link in the database for ${this.#timeoutMs} ms ` +
        '(app.database.statement-timeout): end its transaction, which pg_stat_activity shows',
    );
  }
}
