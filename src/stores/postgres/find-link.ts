import type { LinkDefinition } from '../../links/link.ts';
import { type LinkTargetRow, toLinkDefinition } from '../link-rows.ts';
import { canBeStored, type Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';

const SELECT: Statement = {
  name: 'find-links',
  text: `SELECT short_code, definition_version, target_url, file_id, file_name, file_size_bytes, file_sha256, password_hash,
           confirm, notify_url, notify_email, notify_language
         FROM link_target WHERE short_code = ANY($1::text[])`,
};

/** Prepares reading the definitions of links by their exact short codes, in their order; null where there is no link. */
export function prepareFindLinks(
  connections: Connections,
): (shortCodes: string[]) => Promise<(LinkDefinition | null)[]> {
  return async (shortCodes) => {
    const rows = await connections.read<LinkTargetRow>(SELECT, [shortCodes.filter(canBeStored)]);
    const found = new Map(rows.map((row) => [row.short_code, toLinkDefinition(row)]));
    return shortCodes.map((shortCode) => found.get(shortCode) ?? null);
  };
}
