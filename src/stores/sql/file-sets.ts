import { formatParts, readParts } from '../../core/model/file-parts.ts';
import type { StoredFile } from '../../core/model/link.ts';
import type { LinkStore } from '../../core/ports/ports.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { type Columns, insertInto, type Query } from './query.ts';

const COLUMNS: Columns = { file_id: 'text', parts: 'text' };
const SELECT = 'SELECT parts FROM file_set WHERE file_id = $1';

/** Writes the parts of those files that are sets. */
export function writeParts({ dialect, write }: LinkTransaction, files: readonly StoredFile[]): void {
  const rows = files.flatMap(({ fileId, parts }) => (parts ? [[fileId, formatParts(parts)]] : []));
  if (rows.length > 0) write(insertInto('file_set', COLUMNS, dialect), dialect.values(COLUMNS, rows));
}

/** Deletes the parts of files that links have no more. */
export function deleteParts({ dialect, write }: LinkTransaction, fileIds: readonly string[]): void {
  const statement = `DELETE FROM file_set WHERE file_id IN (SELECT value FROM ${dialect.texts('$1')})`;
  if (fileIds.length > 0) write(statement, [JSON.stringify(fileIds)]);
}

/** Gives the parts of files the ids of these, which now begin with a prefix. */
export function renameParts(
  { dialect, write }: LinkTransaction,
  fileIds: readonly string[],
  prefix: string,
): void {
  const ids = `SELECT value FROM ${dialect.texts('$1')}`;
  const statement = `UPDATE file_set SET file_id = '${prefix}' || file_id WHERE '${prefix}' || file_id IN (${ids})`;
  if (fileIds.length > 0) write(statement, [JSON.stringify(fileIds)]);
}

/** Returns a function that reads the parts of a set. */
export function createReadParts(query: Query): LinkStore['readParts'] {
  return async (fileId) => {
    const [row] = await query<{ parts: string }>(SELECT, [fileId]);
    return row && readParts(row.parts);
  };
}
