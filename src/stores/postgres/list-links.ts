import { listNumberOf } from '../list-number.ts';
import { type ListEntry, type ListedRow, listOf, selectListed, toListEntry } from '../sql/listed-rows.ts';
import { POSTGRES } from '../sql/query.ts';
import type { Transaction } from './transaction.ts';

export const EMPTY_LIST = 'DELETE FROM listed_link';

export const LIST_LINKS = `INSERT INTO listed_link (number, short_code, terms)
         SELECT number, short_code, CAST(terms AS TSVECTOR)
         FROM unnest($1::bigint[], $2::text[], $3::text[]) AS listed (number, short_code, terms)`;
const SELECT_CREATED = 'SELECT short_code, created_at FROM link WHERE short_code = ANY($1::text[])';
const UPDATE_SEARCH = `UPDATE listed_link SET terms = CAST(changed.terms AS TSVECTOR)
         FROM unnest($1::bigint[], $2::text[], $3::text[]) AS changed (number, short_code, terms)
         WHERE listed_link.number = changed.number AND listed_link.short_code = changed.short_code`;
const SELECT_LISTED = selectListed(POSTGRES);

/** Enters links into the list of all links, and its search, within the caller's transaction. */
export function listLinks(transaction: Transaction, entries: readonly ListEntry[]): void {
  if (entries.length > 0) transaction.write(LIST_LINKS, columnsOfEntries(entries));
}

/** Returns the values of `LIST_LINKS` and `UPDATE_SEARCH`. */
export function columnsOfEntries(entries: readonly ListEntry[]) {
  return [
    entries.map(({ number }) => number),
    entries.map(({ shortCode }) => shortCode),
    entries.map(({ terms }) => terms.join(' ')),
  ];
}

/** Updates the search after changes of the rows of links, within the caller's transaction. */
export async function updateSearch(
  { read, write }: Transaction,
  shortCodes: readonly string[],
): Promise<void> {
  if (shortCodes.length === 0) return;
  const created = await read<{ short_code: string; created_at: number }>(SELECT_CREATED, [[...shortCodes]]);
  const numbers = created.map((row) => listNumberOf(row.created_at, row.short_code));
  const rows = await read<ListedRow>(SELECT_LISTED, [listOf(numbers)]);
  const changed = rows.filter((row) => shortCodes.includes(row.short_code)).map(toListEntry);
  write(UPDATE_SEARCH, columnsOfEntries(changed));
}
