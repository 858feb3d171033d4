import { toAuditCode } from '../links/attempt.ts';
import type { LimitCause } from '../links/check-password.ts';
import type { Resolution, ResolveRequest } from '../links/resolve-link.ts';
import { formatFields, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { countQueueError } from './observe.ts';

/** A flood of refused requests would fill the disk with lines. */
const MAX_REFUSALS_PER_SECOND = 10;
const SECOND_MS = 1_000;

/** An attempt that is under way. */
export type ObservedAttempt = {
  isPreview: boolean;
  startedAt: number;
  /** The fields that its lines share, formatted once. */
  fields: string;
  isAnnounced: boolean;
  hasEnded: boolean;
};

/** Logs and counts attempts. A target is never logged. */
export type AttemptObserver = ReturnType<typeof createAttemptObserver>;

/**
 * Creates what logs and counts each attempt, at its start and with its outcome. Of the attempts that a limit refuses,
 * it logs a few in a second and the number of the others. While these few are used up, an attempt is only logged once
 * it is known not to be refused.
 */
export function createAttemptObserver(
  { log, metrics }: { log: Log; metrics: Metrics },
  startTimer: (onDue: () => void, delayMs: number) => () => void,
) {
  const observeDuration = metrics.resolveDuration.bind({});
  let refusals = 0;
  let cancelTimer: (() => void) | undefined;

  function announce(attempt: ObservedAttempt): void {
    if (!attempt.isAnnounced) log.write('info', 'secure_link_resolve_attempt', attempt.fields);
    attempt.isAnnounced = true;
  }

  function endSecond(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    const count = refusals - MAX_REFUSALS_PER_SECOND;
    if (count > 0) log.write('info', 'secure_link_refusals_not_logged', { count });
    refusals = 0;
  }

  /** Counts a refused attempt. Returns whether it is logged. */
  function mayLogRefusal(): boolean {
    cancelTimer ??= startTimer(endSecond, SECOND_MS);
    refusals += 1;
    return refusals <= MAX_REFUSALS_PER_SECOND;
  }

  return {
    begin(correlationId: string, request: Pick<ResolveRequest, 'shortCode' | 'purpose'>): ObservedAttempt {
      const isPreview = request.purpose === 'PREVIEW';
      const fields = formatFields({ correlationId, shortCode: toAuditCode(request.shortCode) });
      const attempt = {
        isPreview,
        startedAt: performance.now(),
        fields,
        isAnnounced: isPreview,
        hasEnded: false,
      };
      if (refusals < MAX_REFUSALS_PER_SECOND) announce(attempt);
      return attempt;
    },

    end(attempt: ObservedAttempt, resolution: Resolution): void {
      attempt.hasEnded = true;
      const isLogged = resolution.kind !== 'LIMITED' || mayLogRefusal();
      if (isLogged) announce(attempt);
      const isAttempt = !attempt.isPreview && resolution.kind !== 'CONFIRM';
      if (isAttempt) {
        observeDuration((performance.now() - attempt.startedAt) / 1000);
        metrics.resolveAttempts.inc();
      }
      if (resolution.kind === 'REDIRECT' || resolution.kind === 'FILE') {
        const fields = `${attempt.fields},"viewCount":${resolution.viewCount}`;
        metrics.resolveSuccesses.inc();
        log.write('info', 'secure_link_resolve_success', fields);
        return;
      }
      if (resolution.kind === 'LIMITED') countRefusal(resolution.cause, metrics);
      // "`reason` is the result in lower case (`file_not_found` for a missing file)."
      const reason = resolution.verdict.toLowerCase();
      const event = isAttempt ? 'secure_link_resolve_denied' : 'secure_link_preview';
      (isAttempt ? metrics.resolveDenials : metrics.previews).inc({ reason });
      if (isLogged) log.write('info', event, `${attempt.fields},"reason":"${reason}"`);
    },

    /** Counts an attempt that failed with an error: one of a queue has no record. Ignores an attempt that has ended. */
    fail(attempt: ObservedAttempt, error: unknown): void {
      if (attempt.hasEnded) return;
      announce(attempt);
      const hasRecord = !countQueueError(error, metrics);
      if (hasRecord && !attempt.isPreview) metrics.resolveAttempts.inc();
    },

    /** Logs how many refusals were left out in the second that has not ended. */
    close: endSecond,
  };
}

function countRefusal(cause: LimitCause, { rateLimited, overloads }: Metrics): void {
  if (cause === 'OVERLOAD') overloads.inc({ queue: 'passwords' });
  else rateLimited.inc({ limit: cause === 'WRONG_PASSWORDS' ? 'wrong_passwords' : 'unknown_codes' });
}
