import type { Clock, TimeCorrection } from '../links/ports.ts';
import { timeJob } from './jobs.ts';
import { createScheduler, type ReportJobError } from './scheduler.ts';

/** How soon it is noticed that the clock was set back. */
const CLOCK_INTERVAL_MS = 1_000;

/** Creates the work that no other job may delay. It reports its own errors. `start` returns at once. */
export function createBackground(parts: {
  store: TimeCorrection;
  clock: Clock;
  reportJobError: ReportJobError;
}) {
  const { store, clock, reportJobError } = parts;
  const scheduler = createScheduler([timeJob(store, clock)], CLOCK_INTERVAL_MS, reportJobError);
  return { start: (): void => void scheduler.start(), stop: scheduler.stop };
}
