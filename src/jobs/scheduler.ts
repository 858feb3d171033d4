import type { Log } from '../observability/log.ts';

/** Work that runs at the start and then at an interval. `stopping` is aborted when the service stops. */
export type Job = { name: string; run: (stopping: AbortSignal) => Promise<void> };

/**
 * Runs jobs in sequence at an interval. A failed job is logged and retried at the next interval. A run that
 * is longer than the interval delays the next one, so a job never runs twice at once.
 */
export function createScheduler(jobs: readonly Job[], intervalMs: number, log: Log) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();

  async function runAll(): Promise<void> {
    for (const job of jobs) {
      if (stopping.signal.aborted) break;
      try {
        await job.run(stopping.signal);
      } catch (error) {
        log.write('error', 'job_failed', { job: job.name, err: error });
      }
    }
    running = undefined;
  }

  return {
    /** Runs every job once, then again at each interval. Resolves after the first runs. */
    start(): Promise<void> {
      timer = setInterval(() => {
        running ??= runAll();
      }, intervalMs);
      running = runAll();
      return running;
    },
    /** Starts no further job, and waits for the current one. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
