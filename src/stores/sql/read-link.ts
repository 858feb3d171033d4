import type { LinkStore } from '../../links/ports.ts';
import { chainColumns, LINK_STATE_COLUMNS, type LinkRow, toLink } from '../link-rows.ts';
import { canBeStored, type Dialect, type Query, type Statement } from './query.ts';

/** Returns the columns of a `LinkRow` but the short code. */
export const linkColumns = (dialect: Dialect): string =>
  `target_url, file_id, file_name, file_size_bytes, file_sha256, password_hash, confirm, token_hash, creator, ${LINK_STATE_COLUMNS},
   label, note, tags, recipient, created_at, ${chainColumns(dialect)},
   notify_url, notify_email, notify_language`;

export const readLinkStatement = (dialect: Dialect): Statement => ({
  name: 'read-link',
  text: `SELECT short_code, ${linkColumns(dialect)}
         FROM link JOIN link_target USING (short_code) WHERE link.short_code = $1`,
});

/** Returns a function that reads the current state of a link by its exact short code. */
export function createReadLink(query: Query, dialect: Dialect): LinkStore['read'] {
  const statement = readLinkStatement(dialect);
  return async (shortCode) => {
    if (!canBeStored(shortCode)) return undefined;
    const [row] = await query<LinkRow>(statement, [shortCode]);
    return row && toLink(row);
  };
}
