import type { StartTimer } from '../core/ports/ports.ts';

/** Starts a timer of the system. */
export const startTimer: StartTimer = (onDue, delayMs) => {
  const timer = setTimeout(onDue, delayMs);
  return () => clearTimeout(timer);
};
