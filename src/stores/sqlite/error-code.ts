/** The errors of SQLite that the store tells apart. */
export const SQLITE_ERROR = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** Returns the code of an error of SQLite without its extension, such as `SQLITE_CORRUPT_INDEX`. */
export function sqliteCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
