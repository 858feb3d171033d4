import type { EpochMs } from '../../links/link.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { type Columns, type Dialect, insertInto, type Query, type Statement } from './query.ts';

const COLUMNS: Columns = { file_id: 'text', began_at: 'integer' };
const TAKEN_COLUMNS: Columns = { ...COLUMNS, taken: 'truth' };

const ABANDON = 'UPDATE upload SET taken = true WHERE file_id = $1 RETURNING file_id';
const DELETE = 'DELETE FROM upload WHERE file_id = $1 RETURNING file_id';

const lockPending = ({
  texts,
  forUpdate,
}: Dialect): Statement => `SELECT file_id FROM upload WHERE file_id IN (SELECT value FROM ${texts('$1')}) AND NOT taken
         ORDER BY file_id ${forUpdate}`;

/** Locks those of these uploads that are not abandoned, and returns their ids. */
export async function lockUploads(
  { dialect, query }: LinkTransaction,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (fileIds.length === 0) return new Set();
  const rows = await query<{ file_id: string }>(lockPending(dialect), [JSON.stringify(fileIds)]);
  return new Set(rows.map((row) => row.file_id));
}

/** Removes the uploads from the ledger that links take over. */
export function takeUploads({ dialect, write }: LinkTransaction, fileIds: readonly string[]): void {
  const statement = `DELETE FROM upload WHERE file_id IN (SELECT value FROM ${dialect.texts('$1')})`;
  if (fileIds.length > 0) write(statement, [JSON.stringify(fileIds)]);
}

/** Enters files that were taken from links, as if their uploads began now: the sweep leaves them a day. */
export function enterTakenFiles(
  { dialect, write }: LinkTransaction,
  fileIds: readonly string[],
  at: EpochMs,
): void {
  const rows = fileIds.map((fileId) => [fileId, at, true]);
  if (rows.length > 0)
    write(insertInto('upload', TAKEN_COLUMNS, dialect), dialect.values(TAKEN_COLUMNS, rows));
}

/**
 * Returns the operations of the upload ledger.
 *
 * @param commit runs statements in one transaction, and resolves once it is durable
 */
export function createUploadLedger(
  commit: <T>(work: (query: Query) => Promise<T>) => Promise<T>,
  dialect: Dialect,
) {
  const { values, forUpdate } = dialect;
  const insert = insertInto('upload', COLUMNS, dialect);
  /** Skips an upload that a link takes over at this moment, and one that another sweep claims. */
  const claimStale = `UPDATE upload SET taken = true WHERE file_id IN (
             SELECT file_id FROM upload WHERE began_at < $1 AND file_id > $3
             ORDER BY file_id LIMIT $2 ${forUpdate && `${forUpdate} SKIP LOCKED`})
           RETURNING file_id`;
  return {
    beginUploads: (uploads: { fileId: string; at: EpochMs }[]): Promise<null[]> =>
      commit(async (query) => {
        const rows = uploads.map(({ fileId, at }) => [fileId, at]);
        await query(insert, values(COLUMNS, rows));
        return uploads.map(() => null);
      }),
    abandonUpload: (fileId: string): Promise<boolean> =>
      commit(async (query) => (await query(ABANDON, [fileId])).length === 1),
    claimStaleUploads: (startedBefore: EpochMs, limit: number, after = ''): Promise<string[]> =>
      commit(async (query) => {
        const claimed = await query<{ file_id: string }>(claimStale, [startedBefore, limit, after]);
        return claimed.map((row) => row.file_id).sort();
      }),
    deleteUpload: (fileId: string): Promise<void> =>
      commit(async (query) => void (await query(DELETE, [fileId]))),
  };
}
