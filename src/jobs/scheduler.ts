import type { Log } from '../observability/log.ts';

/** Work that is done at the start and then every so often. */
export type Job = { name: string; run: () => Promise<void> };

export type Scheduler = {
  /** Runs every job once, then again each interval; resolves when the first runs are over. */
  start(): Promise<void>;
  /** Starts no further run, and waits for one that is under way. */
  stop(): Promise<void>;
};

/**
 * Runs jobs one after the other at an interval. A run that fails is logged and tried again at the next; a run
 * that takes longer than the interval delays the next, so that a job never meets itself.
 */
export function createScheduler(jobs: readonly Job[], intervalMs: number, log: Log): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    for (const job of jobs) {
      try {
        await job.run();
      } catch (error) {
        log.write('error', 'job_failed', { job: job.name, err: error });
      }
    }
    running = undefined;
  }

  return {
    start() {
      timer = setInterval(() => {
        running ??= runAll();
      }, intervalMs);
      running = runAll();
      return running;
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
