import type { EpochMs } from '../../links/link.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { inIdempotentTransaction } from './transaction.ts';

const INSERT: Statement = {
  name: 'begin-uploads',
  text: `INSERT INTO upload (file_id, began_at)
         SELECT file_id, began_at FROM unnest($1::text[], $2::bigint[]) AS begun (file_id, began_at)`,
};
/** Skips an upload that a link takes over at this moment, and one that another sweep claims. */
const CLAIM_STALE: Statement = {
  name: 'claim-stale-uploads',
  text: `WITH stale AS (
           SELECT file_id FROM upload WHERE began_at < $1 AND file_id > $3
           ORDER BY file_id LIMIT $2 FOR UPDATE SKIP LOCKED)
         UPDATE upload SET taken = true FROM stale WHERE upload.file_id = stale.file_id
         RETURNING upload.file_id`,
};
const ABANDON: Statement = {
  name: 'abandon-upload',
  text: 'UPDATE upload SET taken = true WHERE file_id = $1 RETURNING file_id',
};
const DELETE: Statement = { name: 'delete-upload', text: 'DELETE FROM upload WHERE file_id = $1' };

/** Prepares the operations of the upload ledger. */
export function prepareUploadLedger(connections: Connections) {
  return {
    beginUploads: (uploads: { fileId: string; at: EpochMs }[]): Promise<null[]> =>
      inIdempotentTransaction(connections, async (transaction) => {
        transaction.write(INSERT, [uploads.map(({ fileId }) => fileId), uploads.map(({ at }) => at)]);
        return uploads.map(() => null);
      }),
    abandonUpload: (fileId: string): Promise<boolean> =>
      inIdempotentTransaction(
        connections,
        async (transaction) => (await transaction.read(ABANDON, [fileId])).length === 1,
      ),
    claimStaleUploads: (startedBefore: EpochMs, limit: number, after = ''): Promise<string[]> =>
      inIdempotentTransaction(connections, async (transaction) => {
        const claimed = await transaction.read<{ file_id: string }>(CLAIM_STALE, [
          startedBefore,
          limit,
          after,
        ]);
        return claimed.map((row) => row.file_id).sort();
      }),
    deleteUpload: (fileId: string): Promise<void> =>
      inIdempotentTransaction(connections, async (transaction) => transaction.write(DELETE, [fileId])),
  };
}
