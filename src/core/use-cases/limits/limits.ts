import { DAY_MS } from '../../model/time-units.ts';
import type { Clock, GuessLimits, SharedCounts, StartTimer, VisitLimits } from '../../ports/ports.ts';
import { type CodeLimits, createCodeLimits } from './limit-codes.ts';
import { createRateLimiter, type Rate, type RateLimiter, UNLIMITED } from './rate-limiter.ts';
import { createGuessDelay, createGuessLimits, createVisitLimits, limitSignIns } from './visit-limits.ts';

/** The bounds of what one client may do; null for no limit. */
export type Rates = Readonly<{
  wrongPasswords: Rate | null;
  unknownCodes: Rate | null;
  creations: Rate | null;
  uploads: Rate | null;
  changes: Rate | null;
  mails: Rate | null;
  /** Of codes for one address of one link. */
  recipientCodes: Rate | null;
}>;

export const NO_RATES: Rates = {
  wrongPasswords: null,
  unknownCodes: null,
  creations: null,
  uploads: null,
  changes: null,
  mails: null,
  recipientCodes: null,
};

/** Every limit by client, and the removal of what they no longer need. Those of requests count by `requestKeyOf`. */
export type Limits = {
  visits: VisitLimits;
  /** Of sign-ins with a password. */
  signIns: GuessLimits;
  /** Of sign-ins at the provider. */
  providerSignIns: GuessLimits;
  creations: RateLimiter;
  uploads: RateLimiter;
  changes: RateLimiter;
  /** Of links to their recipients. */
  mails: RateLimiter;
  recipientCodes: CodeLimits;
  /** Bounds the links of requests with an Idempotency-Key: what is stored for each is kept for a day. */
  idempotentItems: RateLimiter;
  deleteEnded(): Promise<void>;
};

/** So many times the wrong passwords for one name, a client may fail to sign in with any: an office has one address. */
const SIGN_INS_PER_NAME = 5;

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
    startTimer: StartTimer;
    onDelay?: () => void;
    onSharedError?: (error: unknown) => void;
  },
): Limits {
  const { clock, shared, onDelay } = parts;
  const onSharedError = parts.onSharedError && reportSeldom(clock, parts.onSharedError);
  const limiterOf = (name: string, rate: Rate | null) =>
    rate ? createRateLimiter({ name, rate, clock, shared, onSharedError }) : UNLIMITED;
  const unknownCodes = limiterOf('unknownCodes', rates.unknownCodes);
  const { wrongPasswords: rate } = rates;
  const wrongPasswords = limiterOf('wrongPasswords', rate);
  const signIns = limiterOf('signIns', rate && { ...rate, events: SIGN_INS_PER_NAME * rate.events });
  const ofRequests = {
    creations: limiterOf('creations', rates.creations),
    uploads: limiterOf('uploads', rates.uploads),
    changes: limiterOf('changes', rates.changes),
    mails: limiterOf('mails', rates.mails),
    idempotentItems: limiterOf('idempotentItems', IDEMPOTENT_ITEMS),
  };
  const recipientCodes = createCodeLimits(rates.recipientCodes, limiterOf);
  const delay = createGuessDelay({
    clock,
    startTimer: parts.startTimer,
    ...(onDelay && { onDelay }),
  });
  const guesses = createGuessLimits(wrongPasswords, delay);
  const providerSignIns = createGuessLimits(signIns);
  return {
    visits: createVisitLimits(unknownCodes, guesses),
    ...{ signIns: limitSignIns(guesses, providerSignIns), providerSignIns },
    ...ofRequests,
    recipientCodes,
    async deleteEnded() {
      for (const counts of [
        unknownCodes,
        wrongPasswords,
        signIns,
        ...Object.values(ofRequests),
        recipientCodes,
        delay,
      ])
        counts.deleteEnded();
      await shared?.deleteEnded(clock());
    },
  };
}
