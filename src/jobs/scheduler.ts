/** Work that runs at the start and then at an interval. `stopping` is aborted when the service stops. */
export type Job = { name: string; run: (stopping: AbortSignal) => Promise<void> };

/** Gets the error of a run. */
export type ReportJobError = (job: string, error: unknown) => void;

/**
 * Runs jobs in sequence at an interval. A failed job is reported and retried at the next interval. A run that
 * is longer than the interval delays the next one, so a job never runs twice at once. At intervals below a minute, a
 * failure is reported once for each cause, until a run succeeds.
 */
export function createScheduler(jobs: readonly Job[], intervalMs: number, reportError: ReportJobError) {
  // An error that stays would fill the log.
  const isFrequent = intervalMs < 60_000;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();
  const causes = new Map<string, string>();

  async function runAll(): Promise<void> {
    for (const job of jobs) {
      if (stopping.signal.aborted) break;
      try {
        await job.run(stopping.signal);
        causes.delete(job.name);
      } catch (error) {
        const cause = String(error);
        if (!isFrequent || causes.get(job.name) !== cause) reportError(job.name, error);
        causes.set(job.name, cause);
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
