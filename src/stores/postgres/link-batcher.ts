import type { CLIENT_CLOSED } from '../abort-flags.ts';
import { Batcher, type BatcherOptions } from '../batcher.ts';
import { LONG_LOCK_WAIT_MS, refusingLocked, SHORT_LOCK_WAIT_MS } from '../refuse-locked.ts';
import { LOCKED } from '../sql/link-transaction.ts';

/** Commits items of links. It waits for so long for each link, and returns `LOCKED` for the items of those still locked. */
type CommitOnLinks<Item, Result> = (
  items: Item[],
  lockWaitMs: number,
  firstFlag: number,
) => Promise<(Result | typeof LOCKED | typeof CLIENT_CLOSED)[]>;

/**
 * Batches items of links. Those whose link another session has locked wait for it in batches of their own, one at a
 * time, so that they delay no others; they are rejected if it stays locked.
 */
export function createLinkBatcher<Item extends { shortCode: string }, Result>(
  commit: CommitOnLinks<Item, Result>,
  options: BatcherOptions = {},
) {
  const batcher = new Batcher<Item, Result | typeof LOCKED>(
    (items, firstFlag) => commit(items, SHORT_LOCK_WAIT_MS, firstFlag),
    options,
  );
  const commitLocked = refusingLocked((items: Item[], firstFlag: number) =>
    commit(items, LONG_LOCK_WAIT_MS, firstFlag),
  );
  const locked = new Batcher<Item, Result>(commitLocked, { ...options, overlap: 'never' });
  /** The links of the items that wait. Further items of them join these. */
  const lockedCodes = new Set<string>();

  async function wait(item: Item, isAborted?: () => boolean): Promise<Result> {
    lockedCodes.add(item.shortCode);
    try {
      return await locked.add(item, isAborted);
    } finally {
      lockedCodes.delete(item.shortCode);
    }
  }

  return {
    async add(item: Item, isAborted?: () => boolean): Promise<Result> {
      if (lockedCodes.has(item.shortCode)) return wait(item, isAborted);
      const result = await batcher.add(item, isAborted);
      return result === LOCKED ? wait(item, isAborted) : result;
    },
    /** Resolves when no item is waiting. */
    async settled(): Promise<void> {
      await batcher.settled();
      await locked.settled();
    },
  };
}
