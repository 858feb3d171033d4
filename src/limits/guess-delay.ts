import type { Clock, StartTimer } from '../links/ports.ts';
import { ClientClosedError } from '../links/unavailable.ts';
import { WindowCounts } from './rate-limiter.ts';

/** From so many wrong passwords for one link in a window on, each guess waits. */
const FREE_WRONG_GUESSES = 20;
const WINDOW_MS = 15 * 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
const MAX_LINKS = 50_000;
const MAX_WAITING = 1_000;

export const startTimer: StartTimer = (onDue, delayMs) => {
  const timer = setTimeout(onDue, delayMs);
  return () => clearTimeout(timer);
};

/** Slows guesses at a link's password down, whichever clients send them. It refuses none. */
export type GuessDelay = {
  /** Resolves when a guess may go on. Rejects with `ClientClosedError` when its client leaves. */
  wait(shortCode: string, signal?: AbortSignal): Promise<void>;
  addWrong(shortCode: string): void;
  deleteEnded(): void;
};

/** Returns the delay after this many wrong passwords: none for the first, then doubled by each further one. */
export function delayAfter(wrongGuesses: number): number {
  if (wrongGuesses < FREE_WRONG_GUESSES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (wrongGuesses - FREE_WRONG_GUESSES), MAX_DELAY_MS);
}

/**
 * Creates the delays of one instance, in memory.
 *
 * @param options.maxWaiting when more guesses wait, the one that has waited longest goes on early
 * @param options.onDelay is called for each guess that has to wait
 */
export function createGuessDelay(options: {
  clock: Clock;
  start?: StartTimer;
  maxWaiting?: number;
  onDelay?: () => void;
}): GuessDelay {
  const { clock, start = startTimer, maxWaiting = MAX_WAITING, onDelay = () => {} } = options;
  const wrong = new WindowCounts({ events: FREE_WRONG_GUESSES, windowMs: WINDOW_MS }, MAX_LINKS);
  /** What ends each wait, in the order in which they began. */
  const waiting = new Set<() => void>();

  async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const goOn = (): void => {
      waiting.delete(goOn);
      resolve();
    };
    const cancel = start(goOn, delayMs);
    waiting.add(goOn);
    const [longest] = waiting;
    if (waiting.size > maxWaiting) longest?.();
    try {
      await waitUnlessAborted(promise, signal);
    } finally {
      waiting.delete(goOn);
      cancel();
    }
  }

  return {
    async wait(shortCode, signal) {
      const delayMs = delayAfter(wrong.get(shortCode, clock())?.count ?? 0);
      if (delayMs === 0) return;
      if (signal?.aborted) throw new ClientClosedError('passwords');
      onDelay();
      await pause(delayMs, signal);
    },
    addWrong: (shortCode) => void wrong.add(shortCode, 1, clock()),
    deleteEnded: () => wrong.deleteEnded(clock()),
  };
}

/** Waits for a promise. Rejects with `ClientClosedError` when the signal is aborted first. */
export async function waitUnlessAborted(wanted: Promise<void>, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) throw new ClientClosedError('passwords');
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new ClientClosedError('passwords'));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([wanted, aborted.promise]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
