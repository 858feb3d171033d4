import type { Link } from '../../links/link.ts';
import { type LinkRow, toLink } from '../link-rows.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { canBeStored } from './stored-text.ts';

const SELECT: Statement = {
  name: 'read-link',
  text: `SELECT short_code, target_url, file_id, file_name, file_size_bytes, password_hash, confirm,
           status, view_count, max_views, expires_at, created_at
         FROM link JOIN link_target USING (short_code) WHERE link.short_code = $1`,
};

/** Reads a link as it stands, by its exact short code. */
export function prepareReadLink(connections: Connections): (shortCode: string) => Promise<Link | undefined> {
  return async (shortCode) => {
    if (!canBeStored(shortCode)) return undefined;
    const [row] = await connections.read<LinkRow>(SELECT, [shortCode]);
    return row && toLink(row);
  };
}
