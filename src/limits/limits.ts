import type { Clock, SharedCounts, StartTimer, VisitLimits } from '../links/ports.ts';
import { DAY_MS } from '../links/time-units.ts';
import { createRateLimiter, type Rate, type RateLimiter, UNLIMITED } from './rate-limiter.ts';
import { createGuessDelay, createVisitLimits } from './visit-limits.ts';

/** The bounds of what one client may do; null for no limit. */
export type Rates = Readonly<{
  wrongPasswords: Rate | null;
  unknownCodes: Rate | null;
  creations: Rate | null;
  uploads: Rate | null;
  changes: Rate | null;
}>;

export const NO_RATES: Rates = {
  wrongPasswords: null,
  unknownCodes: null,
  creations: null,
  uploads: null,
  changes: null,
};

/** Every limit by client, and the removal of what they no longer need. Those of requests count by `requestKeyOf`. */
export type Limits = {
  visits: VisitLimits;
  creations: RateLimiter;
  uploads: RateLimiter;
  changes: RateLimiter;
  /** Bounds the links of requests with an Idempotency-Key: what is stored for each is kept for a day. */
  idempotentItems: RateLimiter;
  deleteEnded(): Promise<void>;
};

/** About 0.5 GB of stored responses, of about 450 bytes each. */
const IDEMPOTENT_ITEMS: Rate = { events: 1_000_000, windowMs: DAY_MS };

export const startTimer: StartTimer = (onDue, delayMs) => {
  const timer = setTimeout(onDue, delayMs);
  return () => clearTimeout(timer);
};

const MIN_REPORT_INTERVAL_MS = 60_000;

/** Passes an error on unless one was within the last minute. */
function reportSeldom(clock: Clock, report: (error: unknown) => void): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = clock();
    if (now >= reportedAt && now < reportedAt + MIN_REPORT_INTERVAL_MS) return;
    reportedAt = now;
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
  const { clock, shared, onDelay } = parts;
  const onSharedError = parts.onSharedError && reportSeldom(clock, parts.onSharedError);
  const limiterOf = (name: string, rate: Rate | null) =>
    rate ? createRateLimiter({ name, rate, clock, shared, onSharedError }) : UNLIMITED;
  const unknownCodes = limiterOf('unknownCodes', rates.unknownCodes);
  const wrongPasswords = limiterOf('wrongPasswords', rates.wrongPasswords);
  const ofRequests = {
    creations: limiterOf('creations', rates.creations),
    uploads: limiterOf('uploads', rates.uploads),
    changes: limiterOf('changes', rates.changes),
    idempotentItems: limiterOf('idempotentItems', IDEMPOTENT_ITEMS),
  };
  const delay = createGuessDelay({
    clock,
    startTimer: parts.startTimer ?? startTimer,
    ...(onDelay && { onDelay }),
  });
  return {
    visits: createVisitLimits({ unknownCodes, wrongPasswords, delay }),
    ...ofRequests,
    async deleteEnded() {
      for (const counts of [unknownCodes, wrongPasswords, ...Object.values(ofRequests), delay])
        counts.deleteEnded();
      await shared?.deleteEnded(clock());
    },
  };
}
