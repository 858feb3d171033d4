import { DatabaseUnavailableError } from '../core/model/unavailable.ts';
import { Batcher, type BatcherOptions, type Waiting } from './batcher.ts';
import { LOCKED } from './sql/link-transaction.ts';

/** A batch waits for so long for each of its links. Instances share one in turns of a few milliseconds. */
export const LOCK_WAIT_MS = 40;
/** The items whose links are not free by then are tried again for so long, apart from the others. */
const MAX_LOCK_WAIT_MS = 1_000;

/** Commits items of links, and returns `LOCKED` for those whose links other sessions have locked for `LOCK_WAIT_MS`. */
export type CommitOnLinks<Item, Result> = (items: Item[]) => Promise<(Result | typeof LOCKED)[]>;

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
  /** The items that wait, by link. Further items of such a link join them until it is free. */
  const waiting = new Map<string, Set<Item>>();

  async function wait(item: Item, isAborted?: () => boolean): Promise<Result> {
    const deadline = performance.now() + MAX_LOCK_WAIT_MS;
    const { shortCode } = item;
    const items = waiting.get(shortCode) ?? new Set();
    waiting.set(shortCode, items.add(item));
    let isFree = false;
    try {
      for (;;) {
        const result = await locked.add(item, isAborted);
        isFree = result !== LOCKED;
        if (result !== LOCKED) return result;
        if (performance.now() >= deadline) throw lockedError();
      }
    } finally {
      items.delete(item);
      if ((isFree || items.size === 0) && waiting.get(shortCode) === items) waiting.delete(shortCode);
    }
  }

  function push({ item, isAborted, resolve, reject }: Waiting<Item, Result>): void {
    function settle(result: Result | typeof LOCKED): void {
      if (result === LOCKED) wait(item, isAborted).then(resolve, reject);
      else resolve(result);
    }
    if (waiting.has(item.shortCode)) settle(LOCKED);
    else batcher.push({ item, isAborted, resolve: settle, reject });
  }

  return {
    add: (item: Item, isAborted?: () => boolean): Promise<Result> =>
      new Promise((resolve, reject) => push({ item, isAborted, resolve, reject })),
    /** Does the same for a receiver. */
    push,
    waiting: (): number => batcher.waiting() + locked.waiting(),
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
