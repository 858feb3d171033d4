import type { DatabaseSync } from 'node:sqlite';
import type { LinkChange, LinkChangeKind } from '../../links/link-change.ts';

/** Prepares recording who changed a link, within the caller's transaction. */
export function prepareRecordChange(
  db: DatabaseSync,
): (kind: LinkChangeKind, shortCode: string, change: LinkChange) => void {
  const insert = db.prepare(
    `INSERT INTO link_change (id, short_code, kind, author_kind, author_name, ip_address, changed_at)
     VALUES (unhex(?, '-'), ?, ?, ?, ?, ?, ?)`,
  );
  return (kind, shortCode, { id, author, at }) =>
    void insert.run(id, shortCode, kind, author.kind, author.name, author.ipAddress, at);
}
