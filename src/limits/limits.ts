import type { Clock, SharedCounts, VisitLimits } from '../links/ports.ts';
import { createGuessDelay, type StartTimer } from './guess-delay.ts';
import { createRateLimiter, type LimitRequests, prepareLimitRequests } from './rate-limiter.ts';
import { createVisitLimits } from './visit-limits.ts';
import type { Rate } from './window-counts.ts';

/** What clients may do how often; null for no limit. */
export type Rates = Readonly<{
  wrongPasswords: Rate | null;
  unknownCodes: Rate | null;
  creations: Rate | null;
  uploads: Rate | null;
}>;

export const NO_RATES: Rates = { wrongPasswords: null, unknownCodes: null, creations: null, uploads: null };

/** Every limit by client, and the removal of what they no longer need. */
export type Limits = {
  visits: VisitLimits;
  limitCreations: LimitRequests;
  limitUploads: LimitRequests;
  deleteEnded(): Promise<void>;
};

const MIN_REPORT_INTERVAL_MS = 60_000;

/** Passes an error on unless one was within the last minute. */
function reportSeldom(clock: Clock, report: (error: unknown) => void): (error: unknown) => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = clock();
    if (now < nextAt) return;
    nextAt = now + MIN_REPORT_INTERVAL_MS;
    report(error);
  };
}

/**
 * Creates the limits of an instance.
 *
 * @param parts.onSharedError called at most once a minute with an error of `shared`
 */
export function createLimits(
  rates: Rates,
  parts: {
    clock: Clock;
    shared?: SharedCounts | undefined;
    startTimer?: StartTimer | undefined;
    onDelay?: () => void;
    onSharedError?: (error: unknown) => void;
  },
): Limits {
  const { clock, shared, startTimer, onDelay } = parts;
  const onSharedError = parts.onSharedError && reportSeldom(clock, parts.onSharedError);
  const limiterOf = (name: keyof Rates) => {
    const rate = rates[name];
    return rate && createRateLimiter({ name, rate, clock, shared, onSharedError });
  };
  const unknownCodes = limiterOf('unknownCodes');
  const wrongPasswords = limiterOf('wrongPasswords');
  const creations = limiterOf('creations');
  const uploads = limiterOf('uploads');
  const delay = createGuessDelay({
    clock,
    ...(startTimer && { start: startTimer }),
    ...(onDelay && { onDelay }),
  });
  return {
    visits: createVisitLimits({ unknownCodes, wrongPasswords, delay }),
    limitCreations: prepareLimitRequests(creations),
    limitUploads: prepareLimitRequests(uploads),
    async deleteEnded() {
      for (const inMemory of [unknownCodes, wrongPasswords, creations, uploads, delay])
        inMemory?.deleteEnded();
      await shared?.deleteEnded(clock());
    },
  };
}
