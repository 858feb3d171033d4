import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Problem } from '../../core/model/problem.ts';
import { inTransaction } from './connection.ts';
import { isUnavailable, SQLITE_ERROR, sqliteCodeOf } from './errors.ts';

/** Less free space than this is a full disk: a batch of attempts on different links writes up to about 3 MB. */
const MIN_FREE_BYTES = 4 * 1024 * 1024;

const { READONLY, IOERR, FULL, CANTOPEN } = SQLITE_ERROR;
/** The disk or the file takes no writes. */
const WRITE_ERRORS: number[] = [READONLY, IOERR, FULL, CANTOPEN];

/**
 * Watches the file of a database that is open for writing, and the writes to it. The connection has read the database, so
 * its write-ahead log exists.
 */
export function watchFile(db: DatabaseSync, path: string) {
  const file = realpathSync(path);
  const paths = [path, `${file}-wal`];
  const opened = paths.map(identityOf);
  let isMissing = false;
  let failed: Problem | undefined;

  /**
   * Wraps an operation that writes. It is refused once a search has found that the file is not at its path: what is
   * committed to an unlinked file is lost when the process ends.
   */
  function guard<Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Promise<Result>) {
    return async (...inputs: Inputs): Promise<Result> => {
      if (isMissing) throw new FileMovedError(`${path} or ${file}-wal ${MOVED}`);
      try {
        return await operation(...inputs);
      } catch (error) {
        failed = problemOf(error) ?? failed;
        throw error;
      }
    };
  }
  /** Finds what prevents durable commits. After a failed write it tries another one. */
  function findProblems(): Problem[] {
    isMissing = paths.some((each, index) => identityOf(each) !== opened[index]);
    if (isMissing) return ['database_file_missing'];
    if (isDiskFull(file)) return ['database_disk_full'];
    if (failed !== undefined) failed = tryToWrite(db, failed);
    return failed === undefined ? [] : [failed];
  }
  return { guard, findProblems, measureFreeBytes: () => freeBytesBeside(file) };
}

const MOVED =
  'was moved, deleted or replaced while the service runs, so that commits would be lost: put it back';

/** SQLite has this code for the same, SQLITE_READONLY_DBMOVED, and finds it seldom. */
class FileMovedError extends Error {
  readonly errcode = 1032;
}

/** Returns the identity of a file; undefined if there is none, or an empty one. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || (stats.size === 0n && !path.endsWith('-wal'))) return undefined;
    return `${stats.dev}:${stats.ino}`;
  } catch {
    return undefined; // such as a directory that may no longer be searched
  }
}

function problemOf(error: unknown): Problem | undefined {
  const code = sqliteCodeOf(error);
  if (code === undefined || !WRITE_ERRORS.includes(code)) return undefined;
  return code === FULL ? 'database_disk_full' : 'database_not_writable';
}

/**
 * Commits a page without a change: the number of the schema is written again. Returns the problem that is left. Only
 * this ends a problem: a commit that succeeds may have changed nothing, and so has written nothing.
 */
function tryToWrite(db: DatabaseSync, problem: Problem): Problem | undefined {
  try {
    inTransaction(db, () => {
      const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
      db.exec(`PRAGMA user_version = ${version}`);
    });
    return undefined;
  } catch (error) {
    return problemOf(error) ?? problem;
  }
}

/** Returns whether a database could not be opened because its disk is full. */
export const isFullAtStart = (error: unknown, file: string): boolean =>
  sqliteCodeOf(error) === FULL || (isUnavailable(error) && isDiskFull(file));

const isDiskFull = (file: string): boolean => (freeBytesBeside(file) ?? Infinity) < MIN_FREE_BYTES;

/** Returns the free space of the disk of a file; undefined where the file system does not report it. */
function freeBytesBeside(file: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(dirname(file));
    return blocks > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined; // such as a directory that may no longer be searched
  }
}
