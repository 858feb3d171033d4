import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, AttemptOutcome } from '../../links/attempt.ts';
import { AbandonedError, OverloadedError } from '../../links/overload.ts';
import type { HasLeft } from '../../links/ports.ts';
import type { BatchOutcome } from '../apply-attempts.ts';

/** An attempt, with a function that tells whether its client has left. */
export type SentAttempt = Readonly<{ attempt: Attempt; hasLeft: HasLeft | undefined }>;

/** The outcome of an attempt on a link that another transaction holds. Nothing of it was committed. */
export const LOCKED = 'LOCKED';

/** Commits those attempts whose links are free. */
type TryCommit = (sent: SentAttempt[]) => Promise<(BatchOutcome | typeof LOCKED)[]>;

export type LockWaitQueueOptions = {
  /** Commits those attempts whose links are free. It may wait for one link, a short time. */
  tryCommit: TryCommit;
  /** Commits an attempt in the next batch of all links, which adds it here again if its link is locked again. */
  commit: (sent: SentAttempt) => Promise<AttemptOutcome>;
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

type Waiting = SentAttempt & { sent: SentAttempt; deadline: number } & PromiseWithResolvers<AttemptOutcome>;

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
  readonly #inBatches = new Map<SentAttempt, Waiting>();
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
   * when it cannot be committed, with `OverloadedError` when too many attempts are waiting, and with `AbandonedError`
   * when its client leaves before a try.
   */
  add(sent: SentAttempt): Promise<AttemptOutcome> {
    const before = this.#inBatches.get(sent);
    if (before) {
      this.#enqueue(before);
      return before.promise;
    }
    if (this.#unsettled.size >= this.#maxWaiting) return Promise.reject(new OverloadedError('store'));
    const resolvers = Promise.withResolvers<AttemptOutcome>();
    const remove = () => void this.#unsettled.delete(settled);
    const settled = resolvers.promise.then(remove, remove);
    this.#unsettled.add(settled);
    this.#enqueue({ sent, ...sent, deadline: performance.now() + this.#timeoutMs, ...resolvers });
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
      this.#dropAbandoned();
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
      const outcomes = await this.#options.tryCommit(selected.map(({ sent }) => sent));
      for (const [index, waiting] of selected.entries()) {
        const outcome = outcomes[index];
        if (typeof outcome !== 'object') continue;
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
      ({ hasLeft }) => hasLeft?.() ?? false,
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

  #rejectIf(isRejected: (waiting: Waiting) => boolean, createError: () => Error): void {
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
    return new Error(
      `Another session has locked the link in the database for ${this.#timeoutMs} ms ` +
        '(app.database.statement-timeout): end its transaction, which pg_stat_activity shows',
    );
  }
}
