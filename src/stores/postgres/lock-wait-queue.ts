import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, AttemptOutcome } from '../../links/attempt.ts';
import { OverloadedError } from '../../links/overload.ts';

/** Commits attempts. The outcome is null for those whose link another transaction holds. */
type TryCommit = (attempts: Attempt[]) => Promise<(AttemptOutcome | null)[]>;

export type LockWaitQueueOptions = {
  /** Commits those attempts whose links are free. It may wait for one link, a short time. */
  tryCommit: TryCommit;
  /** Commits an attempt in the next batch of all links, which adds it here again if its link is locked again. */
  commit: (attempt: Attempt) => Promise<AttemptOutcome>;
  /** For how long an attempt waits; null: without a limit. */
  timeoutMs: number | null;
  /** How many attempts may wait. Further ones are refused. */
  maxWaiting?: number;
};

/** Half of what the batcher accepts: it gets all attempts on a link at once when that becomes free. */
const MAX_WAITING = 5_000;
const MAX_TRIED = 512;
/** Between two tries, so that others get the connection. */
const PAUSE_MS = 5;

type Waiting = { attempt: Attempt; deadline: number } & PromiseWithResolvers<AttemptOutcome>;

/**
 * Attempts on links that other transactions hold for longer than a batch can wait. They wait here, so that a locked
 * link delays no other. One transaction at a time tries to commit some of them; it takes turns between the links.
 */
export class LockWaitQueue {
  readonly #options: LockWaitQueueOptions;
  readonly #maxWaiting: number;
  readonly #timeoutMs: number;
  /** The link that is tried next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** The attempts that are in a batch of all links, after they waited here. */
  readonly #inBatches = new Map<Attempt, Waiting>();
  readonly #unsettled = new Set<Promise<void>>();
  #isRunning = false;

  constructor(options: LockWaitQueueOptions) {
    this.#options = options;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
    this.#timeoutMs = options.timeoutMs ?? Number.POSITIVE_INFINITY;
  }

  /** Returns whether attempts on this link are waiting, so that another one must wait as well. */
  has(shortCode: string): boolean {
    return this.#waiting.has(shortCode);
  }

  /**
   * Resolves with the outcome of an attempt once it is durable. Rejects when its link stays locked until the time-out,
   * when it cannot be committed, and with `OverloadedError` when too many attempts are waiting.
   */
  add(attempt: Attempt): Promise<AttemptOutcome> {
    const before = this.#inBatches.get(attempt);
    if (before) {
      this.#enqueue(before);
      return before.promise;
    }
    if (this.#unsettled.size >= this.#maxWaiting) return Promise.reject(new OverloadedError('store'));
    const resolvers = Promise.withResolvers<AttemptOutcome>();
    const remove = () => void this.#unsettled.delete(settled);
    const settled = resolvers.promise.then(remove, remove);
    this.#unsettled.add(settled);
    this.#enqueue({ attempt, deadline: performance.now() + this.#timeoutMs, ...resolvers });
    return resolvers.promise;
  }

  /** Resolves when no attempt is waiting. */
  async settled(): Promise<void> {
    while (this.#unsettled.size > 0) await Promise.all(this.#unsettled);
  }

  #enqueue(waiting: Waiting): void {
    const { shortCode } = waiting.attempt;
    const ofLink = this.#waiting.get(shortCode);
    if (ofLink) ofLink.push(waiting);
    else this.#waiting.set(shortCode, [waiting]);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await new Promise(setImmediate); // for the other attempts of the same batch
    while (this.#waiting.size > 0) {
      const hasCommitted = await this.#try(this.#selectNext());
      if (!hasCommitted) await pause(PAUSE_MS);
      this.#rejectOverdue();
    }
    this.#isRunning = false;
  }

  /** Returns some attempts on each link, so that none keeps the others from their turn. */
  #selectNext(): Waiting[] {
    const share = Math.max(1, Math.floor(MAX_TRIED / this.#waiting.size));
    const selected: Waiting[] = [];
    for (const ofLink of this.#waiting.values()) {
      if (selected.length >= MAX_TRIED) break;
      selected.push(...ofLink.slice(0, share));
    }
    return selected;
  }

  /** Returns whether any of these attempts was committed. */
  async #try(selected: readonly Waiting[]): Promise<boolean> {
    const ended = new Set<Waiting>();
    const freeLinks = new Set<string>();
    try {
      const outcomes = await this.#options.tryCommit(selected.map(({ attempt }) => attempt));
      for (const [index, waiting] of selected.entries()) {
        const outcome = outcomes[index];
        if (!outcome) continue;
        waiting.resolve(outcome);
        ended.add(waiting);
        freeLinks.add(waiting.attempt.shortCode);
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

  /** Lets links that are still locked wait for their next turn. Attempts on free links go to the batches of all links. */
  #putBack(selected: readonly Waiting[], ended: ReadonlySet<Waiting>, freeLinks: ReadonlySet<string>): void {
    for (const shortCode of new Set(selected.map(({ attempt }) => attempt.shortCode))) {
      const remaining = (this.#waiting.get(shortCode) ?? []).filter((waiting) => !ended.has(waiting));
      this.#waiting.delete(shortCode);
      if (freeLinks.has(shortCode)) for (const waiting of remaining) void this.#commitInBatch(waiting);
      else if (remaining.length > 0) this.#waiting.set(shortCode, remaining);
    }
  }

  async #commitInBatch(waiting: Waiting): Promise<void> {
    this.#inBatches.set(waiting.attempt, waiting);
    try {
      waiting.resolve(await this.#options.commit(waiting.attempt));
    } catch (error) {
      waiting.reject(error);
    }
    this.#inBatches.delete(waiting.attempt);
  }

  #rejectOverdue(): void {
    const now = performance.now();
    for (const [shortCode, ofLink] of this.#waiting) {
      const remaining = ofLink.filter(({ deadline }) => deadline > now);
      if (remaining.length === ofLink.length) continue;
      for (const { deadline, reject } of ofLink) if (deadline <= now) reject(this.#lockedTooLong());
      if (remaining.length > 0) this.#waiting.set(shortCode, remaining);
      else this.#waiting.delete(shortCode);
    }
  }

  #lockedTooLong(): Error {
    return new Error(
      `Another session has locked the link in the database for ${this.#timeoutMs} ms ` +
        '(app.database.statement-timeout): end its transaction, which pg_stat_activity shows',
    );
  }
}
