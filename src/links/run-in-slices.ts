/** How much a slice of work takes on. It grows by `step` while slices are short. */
export type SliceLimits = { least: number; most: number; step: number };

export type SliceParts = {
  elapsedMs: () => number;
  pause: (ms: number, stopping: AbortSignal) => Promise<void>;
};

/** A store is busy with one slice for at most about this time: attempts wait for it. */
const MAX_SLICE_MS = 20;
/** The pause after a slice is this many times as long, so that the store can commit attempts meanwhile. */
const PAUSE_FACTOR = 4;
/** A slice of a busy store also waits for its turn. Longer pauses would make the work last for days. */
const MAX_PAUSE_MS = 100;

/**
 * Returns a function that does work in short slices with pauses, until a slice returns false or `stopping` is aborted.
 * Called again, it continues with slices of the last size.
 */
export function prepareSlices(limits: SliceLimits, { elapsedMs, pause }: SliceParts) {
  let limit = limits.least;
  return async (run: (limit: number) => Promise<boolean>, stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted) {
      const startedAt = elapsedMs();
      const hasMore = await run(limit);
      const tookMs = elapsedMs() - startedAt;
      if (!hasMore) return;
      if (tookMs > MAX_SLICE_MS) limit = Math.max(limits.least, Math.floor(limit / 2));
      else if (tookMs < MAX_SLICE_MS / 2) limit = Math.min(limits.most, limit + limits.step);
      await pause(Math.min(PAUSE_FACTOR * tookMs, MAX_PAUSE_MS), stopping);
    }
  };
}
