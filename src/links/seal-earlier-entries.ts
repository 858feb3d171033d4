import type { Clock, EarlierEntries, SealedSlice } from './ports.ts';

/** A store is busy with one slice for at most about this time: attempts wait for it. */
const MAX_SLICE_MS = 20;
/** Grows until a slice takes its time, which depends on how many links its entries belong to. */
const FIRST_LIMIT = 50;
const LIMITS = { least: 20, most: 2_000 };
/** The pause after a slice is this many times as long, so that the store can commit attempts meanwhile. */
const PAUSE_FACTOR = 4;

type SealParts = {
  store: EarlierEntries;
  clock: Clock;
  elapsedMs: () => number;
  pause: (ms: number, stopping: AbortSignal) => Promise<void>;
  onSlice: (slice: SealedSlice) => Promise<void>;
};

/**
 * Returns a function that seals the entries from before the chains, in short slices with pauses. It ends when there is
 * nothing to do for now, or once `stopping` is aborted; called again, it continues.
 */
export function prepareSealEarlierEntries(parts: SealParts): (stopping: AbortSignal) => Promise<void> {
  const { store, clock, elapsedMs, pause, onSlice } = parts;
  let limit = FIRST_LIMIT;
  let isDone = false;
  return async (stopping) => {
    while (!isDone && !stopping.aborted) {
      const startedAt = elapsedMs();
      const slice = await store.sealEarlierEntries(limit, clock());
      const tookMs = elapsedMs() - startedAt;
      await onSlice(slice);
      isDone = slice.state === 'DONE';
      if (slice.state !== 'MORE') return;
      if (tookMs > MAX_SLICE_MS) limit = Math.max(LIMITS.least, Math.floor(limit / 2));
      else if (tookMs < MAX_SLICE_MS / 2) limit = Math.min(LIMITS.most, limit + FIRST_LIMIT);
      await pause(PAUSE_FACTOR * tookMs, stopping);
    }
  };
}
