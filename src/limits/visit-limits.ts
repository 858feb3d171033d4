import { clientKeyOf } from '../links/ip-address.ts';
import type { Guess, GuessResult, VisitLimits } from '../links/ports.ts';
import { AbandonedError } from '../links/unavailable.ts';
import type { GuessDelay } from './guess-delay.ts';
import type { RateLimiter } from './rate-limiter.ts';

type Parts = {
  /** Null switches a limit off; without a limit of wrong passwords nothing is delayed either. */
  unknownCodes: RateLimiter | null;
  wrongPasswords: RateLimiter | null;
  delay: GuessDelay;
};

/** The checks of one key that are running, and a promise that resolves when the next of them ends. */
type Running = { count: number; next: PromiseWithResolvers<void> };

/** Creates the limits of visits. */
export function createVisitLimits({ unknownCodes, wrongPasswords, delay }: Parts): VisitLimits {
  return {
    visitsBlockedMs: (address) =>
      unknownCodes?.hasBlocked() ? unknownCodes.blockedMs(clientKeyOf(address)) : 0,
    countUnknownCode: async (address) => (unknownCodes ? unknownCodes.take(clientKeyOf(address)) : 0),
    ...(wrongPasswords ? limitGuesses(wrongPasswords, delay) : UNLIMITED_GUESSES),
  };
}

type GuessLimits = Pick<VisitLimits, 'guessesBlockedMs' | 'delayGuess' | 'guess'>;

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
function limitGuesses(limiter: RateLimiter, delay: GuessDelay): GuessLimits {
  const { begin, end, count } = createRunningChecks();

  /** Takes a guess and begins its check. Returns 0, or for how long guesses are refused. */
  async function take(key: string, hasLeft?: AbortSignal): Promise<number> {
    for (;;) {
      const checks = begin(key);
      const { next } = checks;
      const blockedMs = await limiter.take(key).catch((error: unknown) => {
        end(key, true);
        throw error;
      });
      if (blockedMs === 0) return 0;
      const hasOneEnded = checks.next !== next;
      end(key, false);
      if (hasOneEnded) continue; // it may have given its guess back after this one was refused
      if (count(key) === 0) return blockedMs;
      await waitUnlessLeft(next.promise, hasLeft);
    }
  }

  async function check(
    { shortCode }: Guess,
    key: string,
    isRight: () => Promise<boolean>,
  ): Promise<GuessResult> {
    let mayGiveBack = true;
    try {
      const found = await isRight();
      mayGiveBack = found;
      if (!found) delay.addWrong(shortCode);
      return { kind: 'CHECKED', isRight: found };
    } finally {
      try {
        if (mayGiveBack) await limiter.giveBack(key);
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
    delayGuess: ({ shortCode }, hasLeft) => delay.wait(shortCode, hasLeft),
    async guess(guess, isRight, hasLeft) {
      const key = keyOf(guess);
      const retryAfterMs = await take(key, hasLeft);
      return retryAfterMs > 0 ? { kind: 'LIMITED', retryAfterMs } : check(guess, key, isRight);
    },
  };
}

/** Waits for a promise. Rejects with `AbandonedError` when the client leaves first. */
async function waitUnlessLeft(next: Promise<void>, hasLeft?: AbortSignal): Promise<void> {
  if (hasLeft?.aborted) throw new AbandonedError('passwords');
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new AbandonedError('passwords'));
  hasLeft?.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([next, left.promise]);
  } finally {
    hasLeft?.removeEventListener('abort', leave);
  }
}

function keyOf({ shortCode, address }: Guess): string {
  return `${shortCode} ${clientKeyOf(address)}`;
}
