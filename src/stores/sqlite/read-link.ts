import type { DatabaseSync } from 'node:sqlite';
import type { Link } from '../../links/link.ts';
import { type LinkRow, toLink } from '../link-rows.ts';

/** Reads a link as it stands, by its exact short code: a look into two B-trees. */
export function prepareReadLink(db: DatabaseSync): (shortCode: string) => Link | undefined {
  const select = db.prepare(
    `SELECT target.*, status, view_count, max_views, expires_at, created_at
     FROM link JOIN link_target AS target USING (short_code) WHERE link.short_code = ?`,
  );
  return (shortCode) => {
    const row = select.get(shortCode) as LinkRow | undefined;
    return row && toLink(row);
  };
}
