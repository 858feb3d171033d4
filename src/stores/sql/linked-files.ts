import type { LinkedFile } from '../../core/model/stored-file.ts';
import type { KnownFiles, NeededFile } from '../../core/use-cases/files/compare-files.ts';
import { IS_WITHOUT_FILE } from './ended-links.ts';
import type { Query } from './query.ts';

const SELECT_LINKED_FILES = `SELECT file_id AS "fileId", file_size_bytes AS "sizeBytes", file_sha256 AS "sha256",
    short_code AS "shortCode" FROM link_target WHERE file_id IS NOT NULL AND NOT (${IS_WITHOUT_FILE})`;

/** Returns the files of links and the files of pending uploads. `query` must see one moment of the store. */
export async function readKnownFiles(query: Query): Promise<KnownFiles> {
  const uploads = await query<{ fileId: string }>('SELECT file_id AS "fileId" FROM upload');
  return {
    linkedFiles: await query<LinkedFile>(SELECT_LINKED_FILES),
    pendingUploads: uploads.map(({ fileId }) => fileId),
  };
}

/**
 * Returns the files of links, and those that were taken from links and wait for their removal: a copy of the database that
 * was made less than `UPLOAD_KEPT_MS` ago needs no others. `query` must see one moment of the store.
 */
export const readNeededFiles = (query: Query): Promise<NeededFile[]> =>
  query<NeededFile>(`${SELECT_LINKED_FILES}
    UNION ALL SELECT file_id, size_bytes, sha256, NULL FROM upload WHERE taken AND owner IS NULL AND sha256 IS NOT NULL`);
