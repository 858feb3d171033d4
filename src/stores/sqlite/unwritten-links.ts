/** Links whose rows lack attempts. */
export type UnwrittenLinks = ReturnType<typeof createUnwrittenLinks>;

/**
 * Links are collected by the first character of their short codes, and each group is sorted when its turn comes. Sorting
 * 32,000 links at once would stop the writer for 20 ms.
 */
export function createUnwrittenLinks() {
  let added = new Map<string, string[]>();
  let addedLinks = 0;
  let addedEntries = 0;
  let oldestAdded: string | undefined;
  let newest: string | undefined;
  /** The groups of the set that is being taken, the last one first. */
  let groups: string[][] = [];
  /** The group whose turn it is, its last link first: what is taken is not kept. */
  let sorted: string[] = [];
  let setCount = 0;

  function beginSet(): void {
    groups = [...added].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, group]) => group);
    setCount = addedLinks;
    added = new Map();
    addedLinks = 0;
    addedEntries = 0;
    oldestAdded = undefined;
  }

  return {
    /** Adds a link that does not wait yet. */
    add(shortCode: string): void {
      const first = shortCode.charAt(0);
      const group = added.get(first);
      if (group) group.push(shortCode);
      else added.set(first, [shortCode]);
      addedLinks += 1;
    },
    /** Notes an attempt that was recorded. */
    note(id: string): void {
      addedEntries += 1;
      if (oldestAdded === undefined || id < oldestAdded) oldestAdded = id;
      if (newest === undefined || id > newest) newest = id;
    },
    /**
     * Takes at most `limit` links in the order of their short codes: the rest of the set that was begun before, or the
     * first of a set of all others.
     */
    take(limit: number): string[] {
      if (setCount === 0) beginSet();
      const taken: string[] = [];
      while (taken.length < limit && setCount > 0) {
        const shortCode = sorted.pop();
        if (shortCode !== undefined) {
          taken.push(shortCode);
          setCount -= 1;
        } else sorted = groups.pop()?.sort().reverse() ?? [];
      }
      return taken;
    },
    /** How many links are left of the set that is being taken, and attempts were noted since it began. */
    get count(): number {
      return setCount + Math.max(addedLinks, addedEntries);
    },
    /** How many are left of the set that is being taken. */
    get setCount(): number {
      return setCount;
    },
    /** The least id of those that were noted since the last set began. */
    get oldest(): string | undefined {
      return oldestAdded;
    },
    /** The greatest id that was ever noted. */
    get newest(): string | undefined {
      return newest;
    },
  };
}
