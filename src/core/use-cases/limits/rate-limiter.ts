import type { Author } from '../../model/author.ts';
import { clientKeyOf } from '../../model/ip-address.ts';
import type { EpochMs } from '../../model/link.ts';
import type { Clock, SharedCounts, WindowCount } from '../../ports/ports.ts';

/** 30 MB with the longest names of users, and about 10 MB with addresses. */
const MAX_KEYS = 50_000;

/** Limits events by key to a rate. A time of 0 ms means that the key is within its limit. */
export type RateLimiter = {
  /** Returns for how long a key is refused, from memory. `releasable` events of its count are about to be released. */
  blockedMs(key: string, releasable?: number): number;
  /** Counts one event of a key unless it is refused already. Returns for how long it is refused. */
  acquire(key: string): Promise<number>;
  /** Counts one event of a key, also beyond its limit, so that both take as long. Returns whether it is within the limit. */
  count(key: string): Promise<boolean>;
  /** Counts as many of several events as the limit leaves. Returns how many, and for how long the others are refused. */
  acquireUpTo(key: string, events: number): Promise<Acquired>;
  /** Takes back events of a key that turned out not to count. */
  release(key: string, events?: number): Promise<void>;
  /** Returns whether any key may be refused; costs nothing. */
  hasBlocked(): boolean;
  /** Forgets windows that have ended. */
  deleteEnded(): void;
};

/** `waitMs`: for how long the other events are refused; 0 if there are none. */
export type Acquired = { events: number; waitMs: number };

type Options = {
  /** The name of the limit, which separates its keys from those of others in `shared`. */
  name: string;
  rate: Rate;
  clock: Clock;
  /** The counts of all instances. Memory then only holds what this instance knows of them. */
  shared?: SharedCounts | undefined;
  /** Called with an error of `shared`. The event is then counted in memory. */
  onSharedError?: ((error: unknown) => void) | undefined;
  maxKeys?: number;
};

export function createRateLimiter(options: Options): RateLimiter {
  const { name, rate, clock, shared, onSharedError, maxKeys = MAX_KEYS } = options;
  const counts = new WindowCounts(rate, maxKeys);

  async function add(key: string, amount: number): Promise<{ count: number; endsAt: number }> {
    const now = clock();
    if (!shared) return counts.add(key, amount, now);
    const change = { key: `${name} ${key}`, amount, now, windowMs: rate.windowMs };
    try {
      return counts.set(key, await shared.add(change));
    } catch (error) {
      // No visit fails because its events could not be counted together with those of other instances.
      onSharedError?.(error);
      return counts.add(key, amount, clock());
    }
  }

  function blockedMs(key: string, releasable = 0): number {
    const now = clock();
    const known = counts.get(key, now);
    return known !== undefined && known.count - releasable >= rate.events ? known.endsAt - now : 0;
  }

  async function release(key: string, events = 1): Promise<void> {
    if (counts.get(key, clock())) await add(key, -events);
  }

  async function acquireUpTo(key: string, events: number): Promise<Acquired> {
    const known = blockedMs(key);
    if (known > 0) return { events: 0, waitMs: known };
    const { count, endsAt } = await add(key, events);
    const excess = Math.min(count - rate.events, events);
    if (excess <= 0) return { events, waitMs: 0 };
    // Of several, or events that were counted meanwhile, here or by other instances, have used the last one up.
    await release(key, excess);
    return { events: events - excess, waitMs: Math.max(1, endsAt - clock()) };
  }

  return {
    blockedMs,
    acquire: async (key) => (await acquireUpTo(key, 1)).waitMs,
    count: async (key) => (await add(key, 1)).count <= rate.events,
    acquireUpTo,
    release,
    hasBlocked: () => counts.hasReached,
    deleteEnded: () => counts.deleteEnded(clock()),
  };
}

/** Refuses nothing. */
export const UNLIMITED: RateLimiter = {
  blockedMs: () => 0,
  acquire: async () => 0,
  count: async () => true,
  acquireUpTo: async (_, events) => ({ events, waitMs: 0 }),
  release: async () => {},
  hasBlocked: () => false,
  deleteEnded() {},
};

/** Returns the key under which requests are counted: the API key or user, else the client. No address contains a space. */
export function requestKeyOf({ kind, name, ipAddress }: Author): string {
  return name === null ? clientKeyOf(ipAddress) : `${kind} ${name}`;
}

/** The maximum of events that a key may have in a window of time. */
export type Rate = { events: number; windowMs: number };

/**
 * Counts events by key in fixed windows, for at most `maxKeys` keys.
 *
 * A full table forgets the oldest key that has not reached the limit, and only if there is none the oldest that
 * has. So a client whose requests are refused cannot make room for itself: it would have to bring `maxKeys`
 * other keys to their limit first. To have a count below the limit forgotten takes `maxKeys` requests.
 */
export class WindowCounts {
  readonly #rate: Rate;
  readonly #maxKeys: number;
  /** Keys below the limit, and keys at it, each in the order of arrival. */
  readonly #below = new Map<string, WindowCount>();
  readonly #reached = new Map<string, WindowCount>();

  constructor(rate: Rate, maxKeys: number) {
    this.#rate = rate;
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#below.size + this.#reached.size;
  }

  /** Returns whether any key may be at the limit, without looking at one. */
  get hasReached(): boolean {
    return this.#reached.size > 0;
  }

  /** Returns the count of a key in its current window. */
  get(key: string, now: EpochMs): WindowCount | undefined {
    const found = this.#reached.get(key) ?? this.#below.get(key);
    if (found === undefined || this.#isCurrent(found, now)) return found;
    this.#delete(key);
    return undefined;
  }

  /** Adds to the count of a key, which never falls below zero, and returns it. */
  add(key: string, amount: number, now: EpochMs): WindowCount {
    const { count, endsAt } = this.get(key, now) ?? { count: 0, endsAt: now + this.#rate.windowMs };
    return this.set(key, { count: Math.max(0, count + amount), endsAt });
  }

  /** Replaces the count of a key, for example by one that several instances share. */
  set(key: string, counted: WindowCount): WindowCount {
    const hasReached = counted.count >= this.#rate.events;
    const [target, other] = hasReached ? [this.#reached, this.#below] : [this.#below, this.#reached];
    other.delete(key);
    if (!target.has(key) && this.size >= this.#maxKeys) this.#forgetOldest();
    target.set(key, counted);
    return counted;
  }

  /** Forgets every key whose window has ended. */
  deleteEnded(now: EpochMs): void {
    for (const counts of [this.#below, this.#reached]) {
      for (const [key, found] of counts) if (!this.#isCurrent(found, now)) counts.delete(key);
    }
  }

  /** Returns whether a window lasts. One that ends later than a new one is of a clock that was ahead: it is over too. */
  #isCurrent({ endsAt }: WindowCount, now: EpochMs): boolean {
    return now < endsAt && endsAt <= now + this.#rate.windowMs;
  }

  #forgetOldest(): void {
    const [oldest] = this.#below.size > 0 ? this.#below.keys() : this.#reached.keys();
    if (oldest !== undefined) this.#delete(oldest);
  }

  #delete(key: string): void {
    this.#below.delete(key);
    this.#reached.delete(key);
  }
}
