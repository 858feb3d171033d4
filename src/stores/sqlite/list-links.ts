import type { DatabaseSync } from 'node:sqlite';
import { type ListNumber, listNumberOf } from '../list-number.ts';
import { type ListEntry, type ListedRow, listOf, selectListed, toListEntry } from '../sql/listed-rows.ts';
import { type Columns, SQLITE, type Statement } from '../sql/query.ts';
import { prepareInsertRows } from './query.ts';

/** The statements that empty the list of links. */
export const EMPTY_LIST: readonly Statement[] = [
  'DELETE FROM listed_link',
  "INSERT INTO link_search (link_search) VALUES ('delete-all')",
];

const LISTED_COLUMNS: Columns = { number: 'integer', short_code: 'text' };

/** Prepares entering links into the list of all links, and its search, within the caller's transaction. */
export function prepareListLinks(db: DatabaseSync): (entries: readonly ListEntry[]) => void {
  const insertListed = prepareInsertRows(db, 'listed_link', LISTED_COLUMNS);
  const { readEntries, writeSearch } = prepareSearch(db);
  return (entries) => {
    if (entries.length === 0) return;
    const others = readEntries(entries.map(({ number }) => number));
    insertListed(entries.map(({ number, shortCode }) => [number, shortCode]));
    writeSearch([...others, ...entries]);
  };
}

/** Prepares updating the search after a change of a link's rows, within the caller's transaction. */
export function prepareUpdateSearch(db: DatabaseSync): (shortCode: string) => void {
  const select = db.prepare('SELECT created_at FROM link WHERE short_code = ?');
  const { readEntries, writeSearch } = prepareSearch(db);
  return (shortCode) => {
    const createdAt = Number(select.get(shortCode)?.['created_at']);
    writeSearch(readEntries([listNumberOf(createdAt, shortCode)]));
  };
}

function prepareSearch(db: DatabaseSync) {
  const select = db.prepare(selectListed(SQLITE));
  const replace = db.prepare('REPLACE INTO link_search (rowid, terms) VALUES (CAST(? AS INTEGER), ?)');
  // A merge of nothing. Otherwise each `run` would return the last number, which is too large for it, and throw.
  const resetLastRowid = db.prepare("INSERT INTO link_search (link_search, rank) VALUES ('merge', 0)");
  return {
    /** Returns the links with these numbers. */
    readEntries(numbers: readonly ListNumber[]): ListEntry[] {
      const rows = select.all({ $1: listOf(numbers) }) as ListedRow[]; // the columns of its statement
      return rows.map(toListEntry);
    },
    /** Writes the rows of numbers, each with the terms of all its links. */
    writeSearch(entries: readonly ListEntry[]): void {
      const terms = new Map<ListNumber, readonly string[]>();
      for (const { number, terms: ofLink } of entries)
        terms.set(number, [...(terms.get(number) ?? []), ...ofLink]);
      for (const [number, texts] of terms) replace.all(number, texts.join(' '));
      resetLastRowid.run();
    },
  };
}
