import type { IndexedEntry } from './index-entries.ts';

/** Entries that are not in the index of histories yet. */
export type Unindexed = ReturnType<typeof createUnindexed>;

const SEPARATOR = '\u0000'; // in no short code, and before every character of one

export function createUnindexed() {
  /** Texts, because they are sorted in a third of the time that objects take. */
  let added: string[] = [];
  let sorted: string[] = [];
  let sortedStart = 0;
  let oldestAdded: string | undefined;
  let newest: string | undefined;

  return {
    add({ shortCode, id }: IndexedEntry): void {
      added.push(shortCode + SEPARATOR + id);
      if (oldestAdded === undefined || id < oldestAdded) oldestAdded = id;
      if (newest === undefined || id > newest) newest = id;
    },
    /**
     * Takes at most `limit` entries in the order of their short codes: the rest of those that were sorted before, or the
     * first of all others.
     */
    take(limit: number): IndexedEntry[] {
      if (sortedStart === sorted.length) {
        sorted = added.sort();
        sortedStart = 0;
        added = [];
        oldestAdded = undefined;
      }
      const taken = sorted.slice(sortedStart, sortedStart + limit);
      sortedStart += taken.length;
      return taken.map(toEntry);
    },
    get count(): number {
      return sorted.length - sortedStart + added.length;
    },
    /** How many are left of those that were sorted. */
    get sortedCount(): number {
      return sorted.length - sortedStart;
    },
    /** The least id of those that were added since the last sorting. */
    get oldest(): string | undefined {
      return oldestAdded;
    },
    /** The greatest id that was ever added. */
    get newest(): string | undefined {
      return newest;
    },
  };
}

function toEntry(text: string): IndexedEntry {
  const end = text.indexOf(SEPARATOR);
  return { shortCode: text.slice(0, end), id: text.slice(end + 1) };
}
