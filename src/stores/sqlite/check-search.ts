import type { DatabaseSync } from 'node:sqlite';
import type { Columns, SearchCheck } from '../sql/query.ts';
import { prepareCheckingQuery, prepareInsertRows } from './query.ts';

const EXPECTED: Columns = { term: 'text', number: 'integer' };
/** Sorted, so that SQLite merges both in one pass; LIMIT keeps the order. */
const SELECT_UNFOUND = `SELECT DISTINCT short_code AS "shortCode" FROM listed_link WHERE number IN (
         SELECT number FROM (
           SELECT term, number FROM expected_term EXCEPT SELECT term, doc FROM indexed_term
           ORDER BY term, number LIMIT -1))`;

/**
 * Compares the full-text index with the terms of all links at once. A search for each link would read common terms again
 * and again: 4 ms a link.
 */
export function beginSearchCheck(db: DatabaseSync): SearchCheck {
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.indexed_term USING fts5vocab('main', 'link_search', 'instance');
           CREATE TEMP TABLE IF NOT EXISTS expected_term (term TEXT NOT NULL, number INTEGER NOT NULL);
           DELETE FROM expected_term`);
  const insert = prepareInsertRows(db, 'expected_term', EXPECTED);
  const query = prepareCheckingQuery(db);
  return {
    async add(links) {
      insert(links.flatMap(({ number, terms }) => terms.map((term) => [term, number])));
      return [];
    },
    async end() {
      const rows = await query<{ shortCode: string }>(SELECT_UNFOUND);
      return rows.map(({ shortCode }) => shortCode);
    },
  };
}
