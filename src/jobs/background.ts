import type { Clock, SummaryBuilder } from '../links/ports.ts';
import type { Log } from '../observability/log.ts';
import { JOB_INTERVAL_MS, summaryJob } from './jobs.ts';
import { createScheduler } from './scheduler.ts';

/** Creates the work that may last for minutes, apart from the other jobs. It reports its own errors. `start` returns at once. */
export function createBackground({ store, clock, log }: { store: SummaryBuilder; clock: Clock; log: Log }) {
  const scheduler = createScheduler([summaryJob({ summaries: store, clock, log })], JOB_INTERVAL_MS, log);
  return {
    start(): void {
      void scheduler.start();
    },
    stop: scheduler.stop,
  };
}
