import { toAuditCode } from '../links/attempt.ts';
import type { LimitCause } from '../links/check-password.ts';
import type { StartTimer } from '../links/ports.ts';
import type { Resolution, ResolveRequest } from '../links/resolve-link.ts';
import { formatFields, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { countQueueError } from './observe.ts';

/** A flood of refused requests would fill the disk with lines. */
const MAX_REFUSALS_PER_SECOND = 10;
const SECOND_MS = 1_000;

/** An attempt that is under way. `fields`: those that its lines share, formatted once. */
export type ObservedAttempt = {
  isPreview: boolean;
  startedAt: number;
  fields: string;
  isAnnounced: boolean;
  hasEnded: boolean;
};

/** Logs and counts attempts. A target is never logged. */
export type AttemptObserver = ReturnType<typeof createAttemptObserver>;

/**
 * Creates what logs and counts each attempt, at its start and with its outcome. While the lines of refusals are used up,
 * an attempt is only logged once it is known not to be refused by a limit.
 */
export function createAttemptObserver(log: Log, metrics: Metrics, startTimer: StartTimer) {
  const observeDuration = metrics.resolveDuration.bind({});
  const refusals = createRefusalLines(log, startTimer);

  function announce(attempt: ObservedAttempt): void {
    if (!attempt.isAnnounced) log.write('info', 'secure_link_resolve_attempt', attempt.fields);
    attempt.isAnnounced = true;
  }

  return {
    begin(correlationId: string, { shortCode, purpose }: Pick<ResolveRequest, 'shortCode' | 'purpose'>) {
      const isPreview = purpose === 'PREVIEW';
      const fields = formatFields({ correlationId, shortCode: toAuditCode(shortCode) });
      const startedAt = performance.now();
      const attempt = { isPreview, startedAt, fields, isAnnounced: isPreview, hasEnded: false };
      if (!refusals.isFull()) announce(attempt);
      return attempt;
    },

    end(attempt: ObservedAttempt, resolution: Resolution): void {
      attempt.hasEnded = true;
      const isLogged = resolution.kind !== 'LIMITED' || refusals.add();
      if (isLogged) announce(attempt);
      const isAttempt = !attempt.isPreview && resolution.kind !== 'CONFIRM';
      if (isAttempt) {
        observeDuration((performance.now() - attempt.startedAt) / 1000);
        metrics.resolveAttempts.inc();
      }
      if (resolution.kind === 'REDIRECT' || resolution.kind === 'FILE') {
        metrics.resolveSuccesses.inc();
        const fields = `${attempt.fields},"viewCount":${resolution.viewCount}`;
        log.write('info', 'secure_link_resolve_success', fields);
        return;
      }
      if (resolution.kind === 'LIMITED') countRefusal(resolution.cause, metrics);
      // "`reason` is the result in lower case (`file_not_found` for a missing file)."
      const reason = resolution.verdict.toLowerCase();
      (isAttempt ? metrics.resolveDenials : metrics.previews).inc({ reason });
      const event = isAttempt ? 'secure_link_resolve_denied' : 'secure_link_preview';
      if (isLogged) log.write('info', event, `${attempt.fields},"reason":"${reason}"`);
    },

    /** Counts an attempt that failed with an error, unless it has ended before. One that a queue refused has no record. */
    fail(attempt: ObservedAttempt, error: unknown): void {
      if (attempt.hasEnded) return;
      announce(attempt);
      const hasRecord = !countQueueError(error, metrics);
      if (hasRecord && !attempt.isPreview) metrics.resolveAttempts.inc();
    },

    close: refusals.close,
  };
}

function countRefusal(cause: LimitCause, { rateLimited, overloads }: Metrics): void {
  if (cause === 'OVERLOAD') overloads.inc({ queue: 'passwords' });
  else rateLimited.inc({ limit: cause === 'WRONG_PASSWORDS' ? 'wrong_passwords' : 'unknown_codes' });
}

/** Bounds how many attempts that a limit refused are logged in a second, and logs the number of the others. */
function createRefusalLines(log: Log, startTimer: StartTimer) {
  let count = 0;
  let cancelTimer: (() => void) | undefined;

  function endSecond(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (count > MAX_REFUSALS_PER_SECOND)
      log.write('info', 'secure_link_refusals_not_logged', { count: count - MAX_REFUSALS_PER_SECOND });
    count = 0;
  }

  return {
    isFull: () => count >= MAX_REFUSALS_PER_SECOND,
    /** Counts a refused attempt. Returns whether it is logged. */
    add(): boolean {
      cancelTimer ??= startTimer(endSecond, SECOND_MS);
      count += 1;
      return count <= MAX_REFUSALS_PER_SECOND;
    },
    /** Logs how many were left out in the second that has not ended. */
    close: endSecond,
  };
}
