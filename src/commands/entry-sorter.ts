import { DatabaseSync } from 'node:sqlite';

/** An entry of a file: its number in the chain, its line, and the text that its fingerprint covers. */
export type SortedEntry = { number: number; line: number; at: number; text: string };

const CACHE_KIB = 32_768;

/**
 * Opens a sorter for any number of entries. A database without a name is in memory while it is small, and in a temporary
 * file that SQLite deletes once it is large.
 */
export function openEntrySorter() {
  const db = new DatabaseSync('');
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_mode = OFF;
    CREATE TABLE entry (number INTEGER, line INTEGER, at INTEGER, text TEXT) STRICT; BEGIN`);
  const insert = db.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
  return {
    add({ number, line, at, text }: SortedEntry): void {
      insert.run(number, line, at, text);
    },
    /** Returns the entries in the order of their numbers. */
    read(): Iterable<SortedEntry> {
      const select = db.prepare('SELECT number, line, at, text FROM entry ORDER BY number, line');
      return select.iterate() as Iterable<object> as Iterable<SortedEntry>; // the columns of the statement
    },
    [Symbol.dispose](): void {
      db.close();
    },
  };
}
