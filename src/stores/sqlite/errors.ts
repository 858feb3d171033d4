import { messageOf } from '../../common/error-details.ts';

/** The errors of SQLite that the store distinguishes. */
export const SQLITE_ERROR = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const;

/** The file cannot be used for now: it is locked or gone, or its disk takes no writes. */
const UNAVAILABLE: (number | undefined)[] = [
  ...[SQLITE_ERROR.BUSY, SQLITE_ERROR.READONLY, SQLITE_ERROR.IOERR],
  ...[SQLITE_ERROR.FULL, SQLITE_ERROR.CANTOPEN],
];

/** Returns whether the database cannot be used, so that the request is no defect. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.includes(sqliteCodeOf(error));

/** Returns the code of an error of SQLite without its extension, such as `SQLITE_CORRUPT_INDEX`. */
export function sqliteCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

/** The extended code of an error that a trigger raises. No store has one. */
const CONSTRAINT_TRIGGER = 1_811;

/** Returns whether a statement failed because of its data, which violate a constraint of the store. */
export function isDataError(error: unknown): boolean {
  if (sqliteCodeOf(error) !== SQLITE_ERROR.CONSTRAINT) return false;
  return !(error instanceof Error && 'errcode' in error && error.errcode === CONSTRAINT_TRIGGER);
}

/** Returns true for an error by which SQLite reports a damaged file. */
export function isDamageError(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === SQLITE_ERROR.CORRUPT || code === SQLITE_ERROR.NOTADB;
}

/** Opens a database. An error by which SQLite reports a damaged file gets the remedy. */
export async function openUndamaged<T>(open: () => Promise<T>): Promise<T> {
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
