import { messageOf } from '../../error-details.ts';

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Returns true for an error by which SQLite reports a damaged file. */
export function isDamageError(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error)) return false;
  const code = Number(error.errcode) & 0xff; // without the extension, such as SQLITE_CORRUPT_INDEX
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** Opens a database. An error by which SQLite reports a damaged file gets the remedy. */
export async function openWhole<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (!isDamageError(cause)) throw cause;
    const remedy = 'Restore the last backup, or correct the path if this is the file of another program';
    throw new Error(`${messageOf(cause)}. ${remedy}`, { cause });
  }
}
