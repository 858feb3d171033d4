import type { DatabaseSync } from 'node:sqlite';
import type { ReadIdsOfLink } from '../sql/newest-ids.ts';
import { SQLITE } from '../sql/query.ts';

/** Prepares reading the ids of a link's entries. Nothing else reads the table `entry_of_link`. */
export function prepareReadIdsOfLink(db: DatabaseSync): ReadIdsOfLink {
  const select = db.prepare(
    `SELECT ${SQLITE.uuidToText('id')} AS id FROM entry_of_link WHERE short_code = ? AND id >= ? AND id < ?
     ORDER BY entry_of_link.id DESC LIMIT ?`,
  );
  return async (shortCode, { first, end }, limit) =>
    select.all(shortCode, first, end, limit).map((row) => String(row['id']));
}
