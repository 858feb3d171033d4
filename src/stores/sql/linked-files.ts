import type { KnownFiles, LinkedFile } from '../../links/compare-files.ts';
import type { Query } from './query.ts';

const SELECT_LINKED_FILES = `
  SELECT file_id AS "fileId", file_size_bytes AS "sizeBytes", short_code AS "shortCode" FROM link_target
  WHERE file_id IS NOT NULL`;

/** Returns the files of links and the files of pending uploads. `query` must see one moment of the store. */
export async function readKnownFiles(query: Query): Promise<KnownFiles> {
  const uploads = await query<{ fileId: string }>({
    name: 'select-uploads',
    text: 'SELECT file_id AS "fileId" FROM upload',
  });
  return {
    linkedFiles: await query<LinkedFile>({ name: 'select-linked-files', text: SELECT_LINKED_FILES }),
    pendingUploads: uploads.map(({ fileId }) => fileId),
  };
}

/** Returns the reads of linked files that a move needs. */
export function createLinkedFiles(query: Query) {
  return {
    /** Returns at most `limit` files after `after` (null: from the first), in the order of their ids. */
    readLinkedFiles: (after: string | null, limit: number): Promise<LinkedFile[]> =>
      query<LinkedFile>(
        {
          name: 'read-linked-files',
          text: `${SELECT_LINKED_FILES} AND file_id > $1 ORDER BY file_id LIMIT $2`,
        },
        [after ?? '', limit], // every id comes after the empty text
      ),
    /** Returns those of the files that belong to a link. */
    async knownFiles(fileIds: readonly string[]): Promise<Set<string>> {
      if (fileIds.length === 0) return new Set();
      const parameters = fileIds.map((_, index) => `$${index + 1}`);
      const rows = await query<{ fileId: string }>(
        {
          name: `known-files-${fileIds.length}`,
          text: `SELECT file_id AS "fileId" FROM link_target WHERE file_id IN (${parameters})`,
        },
        fileIds,
      );
      return new Set(rows.map(({ fileId }) => fileId));
    },
    async countLinkedFiles(): Promise<{ files: number; bytes: number }> {
      const [counts] = await query<{ files: number; bytes: number }>({
        name: 'count-linked-files',
        text: `SELECT count(*) AS files, CAST(coalesce(sum(file_size_bytes), 0) AS BIGINT) AS bytes
               FROM link_target WHERE file_id IS NOT NULL`,
      });
      return counts ?? { files: 0, bytes: 0 };
    },
  };
}
