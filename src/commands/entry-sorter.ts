import { DatabaseSync } from 'node:sqlite';

/** An entry of a file: its place in the chain, its line, and the text that its fingerprint covers. */
export type SortedEntry = { place: number; line: number; at: number; text: string };

const CACHE_KIB = 32_768;

/**
 * Opens a sorter for any number of entries. A database without a name is in memory while it is small, and in a temporary
 * file that SQLite deletes once it is large.
 */
export function openEntrySorter() {
  const db = new DatabaseSync('');
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_mode = OFF;
    CREATE TABLE entry (place INTEGER, line INTEGER, at INTEGER, text TEXT) STRICT; BEGIN`);
  const insert = db.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
  return {
    add({ place, line, at, text }: SortedEntry): void {
      insert.run(place, line, at, text);
    },
    /** Returns the entries in the order of their places. */
    read(): Iterable<SortedEntry> {
      const select = db.prepare('SELECT place, line, at, text FROM entry ORDER BY place, line');
      return select.iterate() as Iterable<object> as Iterable<SortedEntry>; // the columns of the statement
    },
    [Symbol.dispose](): void {
      db.close();
    },
  };
}
