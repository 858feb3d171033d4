import { DatabaseUnavailableError } from '../links/unavailable.ts';
import type { CLIENT_CLOSED } from './abort-flags.ts';
import { Batcher, type BatcherOptions } from './batcher.ts';
import { LOCKED } from './sql/link-transaction.ts';

/** A batch waits for so long for its links. Instances share one in turns of a few milliseconds. */
export const LOCK_WAIT_MS = 40;
/** The items whose links are not free by then are tried again for so long, apart from the others. */
const MAX_LOCK_WAIT_MS = 1_000;

/** Commits items of links, and returns `LOCKED` for those whose links other sessions have locked for `LOCK_WAIT_MS`. */
export type CommitOnLinks<Item, Result> = (
  items: Item[],
  firstFlag: number,
) => Promise<(Result | typeof LOCKED | typeof CLIENT_CLOSED)[]>;

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

  async function wait(item: Item, isAborted?: () => boolean): Promise<Result> {
    const deadline = performance.now() + MAX_LOCK_WAIT_MS;
    lockedCodes.add(item.shortCode);
    try {
      for (;;) {
        const result = await locked.add(item, isAborted);
        if (result !== LOCKED) return result;
        if (performance.now() >= deadline) throw lockedError();
      }
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

function lockedError(): Error {
  return new DatabaseUnavailableError(
    `Another session has locked the link in the database for ${MAX_LOCK_WAIT_MS} ms: end its ` +
      'transaction, which pg_stat_activity shows',
  );
}
