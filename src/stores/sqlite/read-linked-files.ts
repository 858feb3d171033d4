import type { DatabaseSync } from 'node:sqlite';
import type { LinkedFile } from '../../move/ports.ts';

/** The files of links, in the order of their ids, and what is known of some of them. */
export function prepareReadLinkedFiles(db: DatabaseSync) {
  const select = db.prepare(
    `SELECT file_id AS fileId, file_size_bytes AS sizeBytes, short_code AS shortCode FROM link_target
     WHERE file_id IS NOT NULL AND file_id > ? ORDER BY file_id LIMIT ?`,
  );
  const isKnown = db.prepare('SELECT 1 FROM link_target WHERE file_id = ?');
  const count = db.prepare(
    `SELECT count(*) AS files, coalesce(sum(file_size_bytes), 0) AS bytes FROM link_target
     WHERE file_id IS NOT NULL`,
  );
  return {
    /** Every id comes after the empty text. */
    readLinkedFiles: (after: string | null, limit: number): LinkedFile[] =>
      select.all(after ?? '', limit) as LinkedFile[],
    knownFiles: (fileIds: readonly string[]): Set<string> =>
      new Set(fileIds.filter((fileId) => isKnown.get(fileId) !== undefined)),
    countLinkedFiles: () => count.get() as { files: number; bytes: number },
  };
}
