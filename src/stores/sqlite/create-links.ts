import type { DatabaseSync } from 'node:sqlite';
import { type CreationResult, decideCreations, fileIdsOf } from '../../links/decide-creations.ts';
import type { NewLink } from '../../links/link.ts';
import { inTransaction } from './connection.ts';
import { prepareCountLinks } from './count-links.ts';

/** Commits those links of a batch in one transaction that can be created. */
export function prepareCreateLinks(db: DatabaseSync): (links: NewLink[]) => CreationResult[] {
  const isTaken = db.prepare('SELECT 1 FROM link WHERE short_code = ?');
  const isPending = db.prepare('SELECT 1 FROM upload WHERE file_id = ? AND taken = 0');
  const insert = prepareInsertLink(db);
  const countLinks = prepareCountLinks(db);

  return (links) =>
    inTransaction(db, () => {
      const results = decideCreations(
        links,
        links.map(({ shortCode }) => shortCode).filter((shortCode) => isTaken.get(shortCode)),
        fileIdsOf(links).filter((fileId) => isPending.get(fileId)),
      );
      const created = links.filter((_, index) => results[index] === 'created');
      for (const link of created) insert(link);
      if (created.length > 0) countLinks({ ACTIVE: created.length });
      return results;
    });
}

function prepareInsertLink(db: DatabaseSync): (link: NewLink) => void {
  const insertLink = db.prepare(
    `INSERT INTO link (short_code, status, max_views, expires_at, created_at) VALUES (?, 'ACTIVE', ?, ?, ?)`,
  );
  const insertTarget = db.prepare(
    `INSERT INTO link_target (short_code, target_url, file_id, file_name, file_size_bytes, password_hash, confirm)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteUpload = db.prepare('DELETE FROM upload WHERE file_id = ?');

  return ({ shortCode, target, maxViews, expiresAt, createdAt, passwordHash, confirm }) => {
    const url = target.type === 'REDIRECT' ? target.url : null;
    const file = target.type === 'DOWNLOAD' ? target.file : null;
    const fileColumns = [file?.fileId ?? null, file?.fileName ?? null, file?.sizeBytes ?? null];
    insertLink.run(shortCode, maxViews, expiresAt, createdAt);
    insertTarget.run(shortCode, url, ...fileColumns, passwordHash, Number(confirm));
    if (file) deleteUpload.run(file.fileId);
  };
}
