import type { LinkedFile } from '../../move/ports.ts';
import type { Statement } from './batch.ts';
import type { Connections } from './connection.ts';

const SELECT: Statement = {
  name: 'read-linked-files',
  text: `SELECT file_id, file_size_bytes, short_code FROM link_target
         WHERE file_id IS NOT NULL AND file_id > $1 ORDER BY file_id LIMIT $2`,
};
const SELECT_KNOWN: Statement = {
  name: 'known-files',
  text: 'SELECT file_id FROM link_target WHERE file_id = ANY($1::text[])',
};
const COUNT: Statement = {
  name: 'count-linked-files',
  text: `SELECT count(*) AS files, coalesce(sum(file_size_bytes), 0)::bigint AS bytes FROM link_target
         WHERE file_id IS NOT NULL`,
};

/** The files of links, in the order of their ids, and what is known of some of them. */
export function prepareReadLinkedFiles(connections: Connections) {
  return {
    /** Every id comes after the empty text. */
    async readLinkedFiles(after: string | null, limit: number): Promise<LinkedFile[]> {
      const rows = await connections.read<{ file_id: string; file_size_bytes: number; short_code: string }>(
        SELECT,
        [after ?? '', limit],
      );
      return rows.map((row) => ({
        fileId: row.file_id,
        sizeBytes: row.file_size_bytes,
        shortCode: row.short_code,
      }));
    },
    async knownFiles(fileIds: readonly string[]): Promise<Set<string>> {
      const rows = await connections.read<{ file_id: string }>(SELECT_KNOWN, [fileIds]);
      return new Set(rows.map((row) => row.file_id));
    },
    async countLinkedFiles(): Promise<{ files: number; bytes: number }> {
      const [row] = await connections.read<{ files: number; bytes: number }>(COUNT);
      return row ?? { files: 0, bytes: 0 };
    },
  };
}
