import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';

/** Prepares the operations of the upload ledger. */
export function prepareUploadLedger(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO upload (file_id, began_at) VALUES (?, ?)');
  const claim = db.prepare(
    `UPDATE upload SET taken = 1 WHERE file_id IN
       (SELECT file_id FROM upload WHERE began_at < ? AND file_id > ? ORDER BY file_id LIMIT ?)
     RETURNING file_id`,
  );
  const abandon = db.prepare('UPDATE upload SET taken = 1 WHERE file_id = ?');
  const remove = db.prepare('DELETE FROM upload WHERE file_id = ?');

  return {
    beginUploads: (uploads: { fileId: string; at: EpochMs }[]): null[] => {
      for (const { fileId, at } of uploads) insert.run(fileId, at);
      return uploads.map(() => null);
    },
    abandonUpload: (fileId: string): boolean => abandon.run(fileId).changes === 1,
    claimStaleUploads: (startedBefore: EpochMs, limit: number, after = ''): string[] =>
      claim
        .all(startedBefore, after, limit)
        .map((row) => String(row['file_id']))
        .sort(),
    deleteUpload: (fileId: string): void => void remove.run(fileId),
  };
}
