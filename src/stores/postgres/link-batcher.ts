import { Batcher, type BatcherOptions } from '../batcher.ts';
import type { ABANDONED } from '../departures.ts';
import { lockedError, MAX_LOCK_WAIT_MS } from '../refuse-locked.ts';
import { LOCKED } from '../sql/link-transaction.ts';

/** Commits items of links, and returns `LOCKED` for those whose links other sessions have locked for `LOCK_WAIT_MS`. */
type CommitOnLinks<Item, Result> = (
  items: Item[],
  firstFlag: number,
) => Promise<(Result | typeof LOCKED | typeof ABANDONED)[]>;

/**
 * Batches items of links. Those whose link another session has locked are tried again in batches of their own, one at a
 * time, so that they delay no others; they are rejected if it stays locked.
 */
export function createLinkBatcher<Item extends { shortCode: string }, Result>(
  commit: CommitOnLinks<Item, Result>,
  options: BatcherOptions = {},
) {
  const batcher = new Batcher<Item, Result | typeof LOCKED>(commit, options);
  const locked = new Batcher<Item, Result | typeof LOCKED>(commit, { ...options, overlap: 'never' });
  /** The links of the items that wait. Further items of them join these. */
  const lockedCodes = new Set<string>();

  async function wait(item: Item, hasLeft?: () => boolean): Promise<Result> {
    const deadlineMs = performance.now() + MAX_LOCK_WAIT_MS;
    lockedCodes.add(item.shortCode);
    try {
      for (;;) {
        const result = await locked.add(item, hasLeft);
        if (result !== LOCKED) return result;
        if (performance.now() >= deadlineMs) throw lockedError();
      }
    } finally {
      lockedCodes.delete(item.shortCode);
    }
  }

  return {
    async add(item: Item, hasLeft?: () => boolean): Promise<Result> {
      if (lockedCodes.has(item.shortCode)) return wait(item, hasLeft);
      const result = await batcher.add(item, hasLeft);
      return result === LOCKED ? wait(item, hasLeft) : result;
    },
    /** Resolves when no item is waiting. */
    async settled(): Promise<void> {
      await batcher.settled();
      await locked.settled();
    },
  };
}
