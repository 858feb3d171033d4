import type { Creation } from '../creation.ts';
import { listNumberOf } from '../list-number.ts';
import type { Statement } from '../sql/query.ts';
import type { Transaction } from './transaction.ts';

const LIST_LINKS: Statement = {
  name: 'list-links',
  text: `WITH listed AS (
           INSERT INTO listed_link (number, short_code, creator_kind, creator_name)
           SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]))
         INSERT INTO unindexed_link (short_code) SELECT * FROM unnest($2::text[])`,
};
const UPDATE_SEARCH: Statement = {
  name: 'update-search',
  text: 'INSERT INTO unindexed_link (short_code) SELECT * FROM unnest($1::text[])',
};

/** Enters new links into the list of all links, within the caller's transaction. */
export function listLinks(transaction: Transaction, creations: readonly Creation[]): void {
  const links = creations.map(({ link }) => link);
  const authors = creations.map(({ change }) => change.author);
  transaction.write(LIST_LINKS, [
    links.map(({ createdAt, shortCode }) => listNumberOf(createdAt, shortCode)),
    links.map(({ shortCode }) => shortCode),
    authors.map(({ kind }) => kind),
    authors.map(({ name }) => name),
  ]);
}

/**
 * Updates the search after changes of links, within the caller's transaction. Until their new terms are indexed in the
 * background, each search looks at the links themselves.
 */
export function updateSearch(transaction: Transaction, shortCodes: readonly string[]): void {
  if (shortCodes.length > 0) transaction.write(UPDATE_SEARCH, [[...shortCodes]]);
}
