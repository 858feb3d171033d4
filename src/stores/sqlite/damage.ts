import { messageOf } from '../../error-details.ts';
import { SQLITE_ERROR, sqliteCodeOf } from './error-code.ts';

/** Returns true for an error by which SQLite reports a damaged file. */
export function isDamageError(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === SQLITE_ERROR.CORRUPT || code === SQLITE_ERROR.NOTADB;
}

/** Opens a database. An error by which SQLite reports a damaged file gets the remedy. */
export async function openWhole<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw withRemedy(error);
  }
}

/** Returns the error with the remedy for a damaged file, if SQLite reports one by it. */
export function withRemedy(cause: unknown): unknown {
  if (!isDamageError(cause)) return cause;
  const remedy = 'Restore the last backup, or correct the path if this is the file of another program';
  return new Error(`${messageOf(cause)}. ${remedy}`, { cause });
}
