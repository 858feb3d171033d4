import type { IndexedEntry } from './index-entries.ts';

/** Entries that are not in the index of histories yet. */
export type Unindexed = ReturnType<typeof createUnindexed>;

/**
 * Entries are collected by the first character of their short codes, and each group is sorted when its turn comes.
 * Sorting 32,000 entries of as many links at once would stop the writer for 20 ms.
 */
export function createUnindexed() {
  let added = new Map<string, IndexedEntry[]>();
  let addedCount = 0;
  let oldestAdded: string | undefined;
  let newest: string | undefined;
  /** The groups of the set that is being taken, the last one first. */
  let groups: IndexedEntry[][] = [];
  /** The group whose turn it is, its last entry first: what is taken is not kept. */
  let sorted: IndexedEntry[] = [];
  let setCount = 0;

  function beginSet(): void {
    groups = [...added].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, group]) => group);
    setCount = addedCount;
    added = new Map();
    addedCount = 0;
    oldestAdded = undefined;
  }

  return {
    add({ shortCode, id }: IndexedEntry): void {
      const first = shortCode.charAt(0);
      const group = added.get(first);
      if (group) group.push({ shortCode, id });
      else added.set(first, [{ shortCode, id }]);
      addedCount += 1;
      if (oldestAdded === undefined || id < oldestAdded) oldestAdded = id;
      if (newest === undefined || id > newest) newest = id;
    },
    /**
     * Takes at most `limit` entries in the order of their short codes: the rest of the set that was begun before, or the
     * first of a set of all others.
     */
    take(limit: number): IndexedEntry[] {
      if (setCount === 0) beginSet();
      const taken: IndexedEntry[] = [];
      while (taken.length < limit && setCount > 0) {
        const entry = sorted.pop();
        if (entry) {
          taken.push(entry);
          setCount -= 1;
        } else sorted = groups.pop()?.sort(byShortCode).reverse() ?? [];
      }
      return taken;
    },
    get count(): number {
      return setCount + addedCount;
    },
    /** How many are left of the set that is being taken. */
    get setCount(): number {
      return setCount;
    },
    /** The least id of those that were added since the last set began. */
    get oldest(): string | undefined {
      return oldestAdded;
    },
    /** The greatest id that was ever added. */
    get newest(): string | undefined {
      return newest;
    },
  };
}

/** Entries of one link keep their order, which is that of time. */
function byShortCode(a: IndexedEntry, b: IndexedEntry): number {
  if (a.shortCode === b.shortCode) return 0;
  return a.shortCode < b.shortCode ? -1 : 1;
}
