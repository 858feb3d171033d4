import type { LinkListKeeper } from '../links/link-list.ts';
import type { Clock, SummaryBuilder } from '../links/ports.ts';
import type { Log } from '../observability/log.ts';
import { JOB_INTERVAL_MS, listJob, summaryJob } from './jobs.ts';
import { createScheduler } from './scheduler.ts';

/** How soon a new link is found by the index of the search. */
const LIST_INTERVAL_MS = 1_000;

/** Creates the work that may last for minutes, apart from the other jobs. It reports its own errors. `start` returns at once. */
export function createBackground(parts: { store: LinkListKeeper & SummaryBuilder; clock: Clock; log: Log }) {
  const { store, clock, log } = parts;
  const schedulers = [
    createScheduler([summaryJob({ summaries: store, clock, log })], JOB_INTERVAL_MS, log),
    createScheduler([listJob(parts)], LIST_INTERVAL_MS, log),
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
