import type { EpochMs } from '../links/link.ts';
import type { WindowCount } from '../links/ports.ts';

/** How many events a key may have in a window of time. */
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

  /** A window that ends later than a new one would is of a clock that was ahead: it is over too. */
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
