import type { StartTimer } from '../../src/core/ports/ports.ts';

/** Timers that fire when a test says so. */
export function testTimers() {
  const pending = new Set<{ onDue: () => void; delayMs: number }>();
  const start: StartTimer = (onDue, delayMs) => {
    const timer = { onDue, delayMs };
    pending.add(timer);
    return () => void pending.delete(timer);
  };
  return {
    start,
    /** Returns the delays of the timers that are running, in the order of their start. */
    delays: () => [...pending].map(({ delayMs }) => delayMs),
    /** Fires every timer that is running. */
    fireAll(): void {
      for (const timer of [...pending]) {
        pending.delete(timer);
        timer.onDue();
      }
    },
  };
}
