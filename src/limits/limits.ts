import type { Clock, SharedCounts, VisitLimits } from '../links/ports.ts';
import { DAY_MS } from '../links/time-units.ts';
import { createGuessDelay, type StartTimer } from './guess-delay.ts';
import { createRateLimiter, createRequestLimit, type Rate, type RequestLimit } from './rate-limiter.ts';
import { createVisitLimits } from './visit-limits.ts';

/** What clients may do how often; null for no limit. */
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

/** Every limit by client, and the removal of what they no longer need. */
export type Limits = {
  visits: VisitLimits;
  creations: RequestLimit;
  uploads: RequestLimit;
  changes: RequestLimit;
  /** Bounds the links of requests with an Idempotency-Key: what is stored for each is kept for a day. */
  idempotentItems: RequestLimit;
  deleteEnded(): Promise<void>;
};

/** About 0.5 GB of stored responses, of about 450 bytes each. */
const IDEMPOTENT_ITEMS: Rate = { events: 1_000_000, windowMs: DAY_MS };

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
  const changes = limiterOf('changes');
  const idempotentItems = createRateLimiter({
    name: 'idempotentItems',
    rate: IDEMPOTENT_ITEMS,
    clock,
    shared,
    onSharedError,
  });
  const delay = createGuessDelay({
    clock,
    ...(startTimer && { start: startTimer }),
    ...(onDelay && { onDelay }),
  });
  return {
    visits: createVisitLimits({ unknownCodes, wrongPasswords, delay }),
    creations: createRequestLimit(creations),
    uploads: createRequestLimit(uploads),
    changes: createRequestLimit(changes),
    idempotentItems: createRequestLimit(idempotentItems),
    async deleteEnded() {
      const inMemory = [unknownCodes, wrongPasswords, creations, uploads, changes, idempotentItems, delay];
      for (const counts of inMemory) counts?.deleteEnded();
      await shared?.deleteEnded(clock());
    },
  };
}
