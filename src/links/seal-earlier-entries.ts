import type { Clock, EarlierEntries, SealedSlice } from './ports.ts';
import { prepareSlices, type SliceParts } from './run-in-slices.ts';

/** The least takes a few milliseconds. More fit into the time where many entries belong to the same links. */
const LIMITS = { least: 200, most: 2_000, step: 50 };

type SealParts = SliceParts & {
  store: EarlierEntries;
  clock: Clock;
  onSlice: (slice: SealedSlice) => Promise<void>;
};

/**
 * Returns a function that seals the entries from before the chains, in short slices with pauses. It ends when there is
 * nothing to do for now, or once `stopping` is aborted; called again, it continues.
 */
export function prepareSealEarlierEntries(parts: SealParts): (stopping: AbortSignal) => Promise<void> {
  const { store, clock, onSlice } = parts;
  const runInSlices = prepareSlices(LIMITS, parts);
  let isDone = false;
  return async (stopping) => {
    if (isDone) return;
    await runInSlices(async (limit) => {
      const slice = await store.sealEarlierEntries(limit, clock());
      await onSlice(slice);
      isDone = slice.state === 'DONE';
      return slice.state === 'MORE';
    }, stopping);
  };
}
