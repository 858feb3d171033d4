import type { Clock, SummaryBuilder, TimeCorrection } from '../links/ports.ts';
import type { Log } from '../observability/log.ts';
import { JOB_INTERVAL_MS, summaryJob, timeJob } from './jobs.ts';
import { createScheduler, type ReportJobError } from './scheduler.ts';

/** How soon it is noticed that the clock was set back. */
const CLOCK_INTERVAL_MS = 1_000;

/**
 * Creates the work that may last for minutes, and what it must not delay, apart from the other jobs. It reports its own
 * errors. `start` returns at once.
 */
export function createBackground(parts: {
  store: SummaryBuilder & TimeCorrection;
  clock: Clock;
  log: Log;
  reportJobError: ReportJobError;
}) {
  const { store, clock, log, reportJobError } = parts;
  const schedulers = [
    createScheduler([summaryJob({ summaries: store, clock, log })], JOB_INTERVAL_MS, reportJobError),
    createScheduler([timeJob(store, clock)], CLOCK_INTERVAL_MS, reportJobError),
  ];
  return {
    start(): void {
      for (const scheduler of schedulers) void scheduler.start();
    },
    async stop(): Promise<void> {
      await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
    },
  };
}
