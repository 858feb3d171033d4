import type { DatabaseSync } from 'node:sqlite';
import type { Creation } from '../creation.ts';
import { listNumberOf } from '../list-number.ts';
import { prepareInsertRows } from './insert-rows.ts';

/** Prepares entering new links into the list of all links, within the caller's transaction. */
export function prepareListLinks(db: DatabaseSync): (creations: readonly Creation[]) => void {
  const insertListed = prepareInsertRows<[string, string, string, string | null]>(
    db,
    'listed_link (number, short_code, creator_kind, creator_name)',
    '(?, ?, ?, ?)',
  );
  const insertUnindexed = prepareInsertRows<[string]>(db, 'unindexed_link (short_code)', '(?)');
  return (creations) => {
    insertListed(
      creations.map(({ link: { shortCode, createdAt }, change: { author } }) => [
        ...([listNumberOf(createdAt, shortCode), shortCode] as const),
        ...([author.kind, author.name] as const),
      ]),
    );
    insertUnindexed(creations.map(({ link }) => [link.shortCode]));
  };
}

/**
 * Prepares updating the search after a change of a link, within the caller's transaction. Until its new terms are
 * indexed in the background, each search looks at the link itself.
 */
export function prepareUpdateSearch(db: DatabaseSync): (shortCode: string) => void {
  const insert = db.prepare('INSERT INTO unindexed_link (short_code) VALUES (?)');
  return (shortCode) => void insert.run(shortCode);
}
