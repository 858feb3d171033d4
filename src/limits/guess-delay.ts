import type { Clock } from '../links/ports.ts';
import { AbandonedError } from '../links/unavailable.ts';
import { WindowCounts } from './rate-limiter.ts';

/** From so many wrong passwords for one link in a window on, each guess waits. */
const FREE_WRONG_GUESSES = 20;
const WINDOW_MS = 15 * 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
const MAX_LINKS = 50_000;
const MAX_WAITING = 1_000;

/** Calls `onDue` after a time, unless the returned function cancels it. */
export type StartTimer = (onDue: () => void, delayMs: number) => () => void;

export const startTimer: StartTimer = (onDue, delayMs) => {
  const timer = setTimeout(onDue, delayMs);
  return () => clearTimeout(timer);
};

/** Slows guesses at a link's password down, whichever clients send them. It refuses none. */
export type GuessDelay = {
  /** Resolves when a guess may go on. Rejects with `AbandonedError` when its client leaves. */
  wait(shortCode: string, hasLeft?: AbortSignal): Promise<void>;
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

  function pause(delayMs: number, hasLeft?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void): void => {
        waiting.delete(goOn);
        cancel();
        hasLeft?.removeEventListener('abort', leave);
        end();
      };
      const goOn = () => finish(resolve);
      const leave = () => finish(() => reject(new AbandonedError('passwords')));
      const cancel = start(goOn, delayMs);
      hasLeft?.addEventListener('abort', leave, { once: true });
      waiting.add(goOn);
      const [longest] = waiting;
      if (waiting.size > maxWaiting) longest?.();
    });
  }

  return {
    async wait(shortCode, hasLeft) {
      const delayMs = delayAfter(wrong.get(shortCode, clock())?.count ?? 0);
      if (delayMs === 0) return;
      if (hasLeft?.aborted) throw new AbandonedError('passwords');
      onDelay();
      await pause(delayMs, hasLeft);
    },
    addWrong: (shortCode) => void wrong.add(shortCode, 1, clock()),
    deleteEnded: () => wrong.deleteEnded(clock()),
  };
}
