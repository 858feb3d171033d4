import { clientKeyOf } from '../../model/ip-address.ts';
import { ClientClosedError } from '../../model/unavailable.ts';
import type { Clock, Guess, GuessLimits, GuessResult, StartTimer, VisitLimits } from '../../ports/ports.ts';
import { type RateLimiter, requestKeyOf, UNLIMITED, WindowCounts } from './rate-limiter.ts';

/** The checks of one key that are running, and a promise that resolves when the next of them ends. */
type Running = { count: number; next: PromiseWithResolvers<void> };

/** Creates the limits of visits. Each API key and each person has its own count, which no stranger adds to. */
export function createVisitLimits(unknownCodes: RateLimiter, guesses: GuessLimits): VisitLimits {
  return {
    visitsBlockedMs: (client) =>
      unknownCodes.hasBlocked() ? unknownCodes.blockedMs(requestKeyOf(client)) : 0,
    countUnknownCode: (client) => unknownCodes.acquire(requestKeyOf(client)),
    ...guesses,
  };
}

/** Creates the limits of guesses. Without a limit, no guess is delayed either. Those by client alone have no delay. */
export const createGuessLimits = (limiter: RateLimiter, delay?: GuessDelay): GuessLimits =>
  limiter === UNLIMITED ? UNLIMITED_GUESSES : limitGuesses(limiter, delay);

/**
 * Limits guesses at the passwords of people: by name and client as those at links, and by client with any names. So
 * no client locks an account for another one.
 */
export function limitSignIns(byName: GuessLimits, byClient: GuessLimits): GuessLimits {
  const ofClient = ({ address }: Guess): Guess => ({ shortCode: ANY_NAME, address });
  return {
    delayGuess: byName.delayGuess,
    guessesBlockedMs: (guess) => byName.guessesBlockedMs(guess) || byClient.guessesBlockedMs(ofClient(guess)),
    async guess(guess, isRight, signal) {
      let checked: GuessResult | undefined;
      const checkGuess = async () => {
        checked = await byName.guess(guess, isRight, signal);
        return checked.kind === 'LIMITED' || checked.isRight; // one that is not checked counts as little as a right one
      };
      const limited = await byClient.guess(ofClient(guess), checkGuess, signal);
      return checked ?? limited;
    },
  };
}

const ANY_NAME = 'person';

const UNLIMITED_GUESSES: GuessLimits = {
  guessesBlockedMs: () => 0,
  delayGuess: async () => {},
  guess: async (_, isRight) => ({ kind: 'CHECKED', isRight: await isRight() }),
};

/** Counts the checks that run, by key. */
function createRunningChecks() {
  const running = new Map<string, Running>();
  return {
    count: (key: string): number => running.get(key)?.count ?? 0,
    begin(key: string): Running {
      const checks = running.get(key) ?? { count: 0, next: Promise.withResolvers<void>() };
      checks.count += 1;
      running.set(key, checks);
      return checks;
    },
    /** Ends a check that ran, or one that got no guess: that lets others go on only if it was the last. */
    end(key: string, hasRun: boolean): void {
      const checks = running.get(key);
      if (!checks) return;
      checks.count -= 1;
      if (checks.count === 0) running.delete(key);
      else if (!hasRun) return;
      checks.next.resolve();
      checks.next = Promise.withResolvers();
    },
  };
}

/**
 * Limits guesses by link and client. A check that runs has taken one guess, and a right one gives it back. So a
 * guess without one left waits for the checks that run: many requests with the right password all pass.
 */
function limitGuesses(limiter: RateLimiter, delay?: GuessDelay): GuessLimits {
  const { begin, end, count } = createRunningChecks();

  /** Takes a guess and begins its check. Returns 0, or for how long guesses are refused. */
  async function acquire(key: string, signal?: AbortSignal): Promise<number> {
    for (;;) {
      const checks = begin(key);
      const { next } = checks;
      const blockedMs = await limiter.acquire(key).catch((error: unknown) => {
        end(key, true);
        throw error;
      });
      if (blockedMs === 0) return 0;
      const hasOneEnded = checks.next !== next;
      end(key, false);
      if (hasOneEnded) continue; // it may have given its guess back after this one was refused
      if (count(key) === 0) return blockedMs;
      await waitUnlessAborted(next.promise, signal);
    }
  }

  async function check(
    { shortCode }: Guess,
    key: string,
    isRight: () => Promise<boolean>,
  ): Promise<GuessResult> {
    let mayRelease = true;
    try {
      const found = await isRight();
      mayRelease = found;
      if (!found) delay?.addWrong(shortCode);
      return { kind: 'CHECKED', isRight: found };
    } finally {
      try {
        if (mayRelease) await limiter.release(key);
      } finally {
        end(key, true); // otherwise guesses that wait for this check would wait forever
      }
    }
  }

  return {
    guessesBlockedMs(guess) {
      if (!limiter.hasBlocked()) return 0;
      const key = keyOf(guess);
      return limiter.blockedMs(key, count(key));
    },
    delayGuess: async ({ shortCode }, signal) => delay?.wait(shortCode, signal),
    async guess(guess, isRight, signal) {
      const key = keyOf(guess);
      const retryAfterMs = await acquire(key, signal);
      return retryAfterMs > 0 ? { kind: 'LIMITED', retryAfterMs } : check(guess, key, isRight);
    },
  };
}

function keyOf({ shortCode, address }: Guess): string {
  return `${shortCode} ${clientKeyOf(address)}`;
}

/** From so many wrong passwords for one link in a window on, each guess waits. */
const FREE_WRONG_GUESSES = 20;
const WINDOW_MS = 15 * 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
const MAX_LINKS = 50_000;
const MAX_WAITING = 1_000;

/** Slows down guesses at a link's password, of all clients together. It refuses none. */
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
  startTimer: StartTimer;
  maxWaiting?: number;
  onDelay?: () => void;
}): GuessDelay {
  const { clock, startTimer, maxWaiting = MAX_WAITING, onDelay = () => {} } = options;
  const wrong = new WindowCounts({ events: FREE_WRONG_GUESSES, windowMs: WINDOW_MS }, MAX_LINKS);
  /** The functions that end the waits, in the order in which these began. */
  const waiting = new Set<() => void>();

  async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const goOn = (): void => {
      waiting.delete(goOn);
      resolve();
    };
    const cancel = startTimer(goOn, delayMs);
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
