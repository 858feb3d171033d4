import type { Log } from './log.ts';

/** A flood of refused requests would fill the disk with lines. */
const MAX_LOGGED = 10;
const SECOND_MS = 1_000;

/** Bounds how many attempts that a limit refused are logged in a second. */
export type RefusalLines = ReturnType<typeof createRefusalLines>;

export function createRefusalLines(log: Log, startTimer: (onDue: () => void, delayMs: number) => () => void) {
  let count = 0;
  let cancelTimer: (() => void) | undefined;

  function endSecond(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (count > MAX_LOGGED)
      log.write('info', 'secure_link_refusals_not_logged', { count: count - MAX_LOGGED });
    count = 0;
  }

  return {
    isFull: () => count >= MAX_LOGGED,
    /** Counts a refused attempt. Returns whether it is logged. */
    add(): boolean {
      cancelTimer ??= startTimer(endSecond, SECOND_MS);
      count += 1;
      return count <= MAX_LOGGED;
    },
    /** Logs how many were left out in the second that has not ended. */
    close: endSecond,
  };
}
