import type { DatabaseSync } from 'node:sqlite';
import type { LinkDefinition } from '../../links/link.ts';
import { type LinkTargetRow, toLinkDefinition } from '../link-rows.ts';

/** Prepares reading a link's definition by its exact short code: one B-tree search, cheap enough for the event loop. */
export function prepareFindLink(db: DatabaseSync): (shortCode: string) => LinkDefinition | undefined {
  const select = db.prepare(
    `SELECT short_code, definition_version, target_url, file_id, file_name, file_size_bytes, file_sha256,
       password_hash, confirm, notify_url, notify_email, notify_language
     FROM link_target WHERE short_code = ?`,
  );
  return (shortCode) => {
    const row = select.get(shortCode) as LinkTargetRow | undefined;
    return row && toLinkDefinition(row);
  };
}
