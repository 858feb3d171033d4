import type { DatabaseSync } from 'node:sqlite';
import type { NewLink } from '../../links/link.ts';
import { inTransaction } from './connection.ts';
import { prepareCountLinks } from './count-links.ts';

/**
 * Commits a group of new links in one transaction. A short code that is taken, also by an earlier link of the
 * same group, or an upload that is gone leaves that one link out.
 */
export function prepareCreateLinks(db: DatabaseSync): (links: NewLink[]) => CreateResult[] {
  const insertLink = db.prepare(
    `INSERT INTO link (short_code, status, max_views, expires_at, created_at) VALUES (?, 'ACTIVE', ?, ?, ?)`,
  );
  const insertTarget = db.prepare(
    `INSERT INTO link_target (short_code, target_url, file_id, file_name, file_size_bytes, password_hash, confirm)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const isTaken = db.prepare('SELECT 1 FROM link WHERE short_code = ?');
  const takeOverUpload = db.prepare('DELETE FROM upload WHERE file_id = ? AND taken = 0');
  const countLinks = prepareCountLinks(db);

  function createOne(link: NewLink): CreateResult {
    if (isTaken.get(link.shortCode)) return 'short-code-taken';
    const { target } = link;
    if (target.type === 'DOWNLOAD' && takeOverUpload.run(target.file.fileId).changes === 0)
      return 'upload-gone';
    insertLink.run(link.shortCode, link.maxViews, link.expiresAt, link.createdAt);
    const url = target.type === 'REDIRECT' ? target.url : null;
    const file = target.type === 'DOWNLOAD' ? target.file : null;
    insertTarget.run(
      link.shortCode,
      url,
      file?.fileId ?? null,
      file?.fileName ?? null,
      file?.sizeBytes ?? null,
      link.passwordHash,
      Number(link.confirm),
    );
    return 'created';
  }

  return (links) =>
    inTransaction(db, () => {
      const results = links.map(createOne);
      const created = results.filter((result) => result === 'created').length;
      if (created > 0) countLinks({ ACTIVE: created });
      return results;
    });
}

export type CreateResult = 'created' | 'short-code-taken' | 'upload-gone';
