import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Problem } from '../../links/problem.ts';
import { inTransaction } from './connection.ts';
import { isUnavailable, SQLITE_ERROR, sqliteCodeOf } from './errors.ts';

/** Less free space than this is a full disk: a batch of attempts on different links writes up to about 3 MB. */
const MIN_FREE_BYTES = 4 * 1024 * 1024;

const { BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN } = SQLITE_ERROR;
/** The disk or the file takes no writes. */
const WRITE_ERRORS: number[] = [READONLY, IOERR, FULL, CANTOPEN];

/**
 * Commits rely for so long on the last look at the files, which takes 10 µs. What is committed meanwhile to a file that
 * is no longer at its path is lost, as it would be if the file was moved during a commit.
 */
const LOOK_INTERVAL_MS = 5;

/**
 * Watches the file of a database that is open for writing, and the writes to it. The connection has read the database, so
 * its write-ahead log exists.
 */
export function watchFile(db: DatabaseSync, path: string) {
  const file = realpathSync(path);
  const paths = [path, `${file}-wal`];
  const opened = paths.map(identityOf);
  let seenInPlaceAt = Number.NEGATIVE_INFINITY;
  const isTruncated = prepareIsTruncated(db, file);
  let hasFailed: Problem | undefined;

  function isInPlace(): boolean {
    const isFound = paths.every((each, index) => identityOf(each) === opened[index]);
    seenInPlaceAt = isFound ? performance.now() : Number.NEGATIVE_INFINITY;
    return isFound;
  }
  function assertInPlace(): void {
    if (performance.now() - seenInPlaceAt < LOOK_INTERVAL_MS || isInPlace()) return;
    throw new FileMovedError(
      `the database file ${path} or its log ${file}-wal was moved, deleted or replaced while the service runs, so ` +
        'that commits would be lost: put it back',
    );
  }
  /**
   * Wraps an operation that writes. It is refused once the file was found not to be at its path: what is committed to an
   * unlinked file is lost when the process ends.
   */
  function guard<Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Promise<Result>) {
    return async (...inputs: Inputs): Promise<Result> => {
      assertInPlace();
      try {
        return await operation(...inputs);
      } catch (error) {
        hasFailed = problemOf(error) ?? hasFailed;
        throw error;
      }
    };
  }
  /** Finds what prevents durable commits. After a failed write it tries another one. */
  function findProblems(): Problem[] {
    if (!isInPlace()) return ['database_file_missing'];
    if (hasFailed !== undefined) hasFailed = tryToWrite(db, hasFailed);
    const full = check(() => isDiskFull(file), 'database_disk_full');
    if (full === 'database_disk_full') return [full];
    const truncated = check(isTruncated, 'database_file_cut');
    return [...new Set([full, truncated, hasFailed])].filter((problem) => problem !== undefined);
  }
  return { guard, findProblems };
}

/** SQLite has this code for the same, SQLITE_READONLY_DBMOVED, and finds it seldom. */
class FileMovedError extends Error {
  readonly errcode = 1032;
}

/** Runs a check. One that fails hides no other: a file that cannot be examined cannot be relied on for writes. */
function check(isFound: () => boolean, problem: Problem): Problem | undefined {
  try {
    return isFound() ? problem : undefined;
  } catch {
    return 'database_not_writable';
  }
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

/** Returns whether the disk is full. A file system that does not report its size is not full. */
function isDiskFull(file: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(dirname(file));
  return blocks > 0 && bavail * bsize < MIN_FREE_BYTES;
}

/**
 * Prepares the search for a truncated file. Once the log is checkpointed, the file has every page. Before, it may lack
 * the newest ones, but does not get shorter.
 */
function prepareIsTruncated(db: DatabaseSync, file: string): () => boolean {
  const select = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  let lastBytes = 0;

  function isTruncated(): boolean {
    const log = db.prepare('PRAGMA wal_checkpoint(NOOP)').get();
    const isCheckpointed = log?.['log'] === log?.['checkpointed'];
    const { size } = statSync(file);
    const isShorter = size < lastBytes;
    lastBytes = Math.max(lastBytes, size);
    return size < select('page_count') * select('page_size') && (isCheckpointed || isShorter);
  }

  return () => {
    try {
      return isTruncated();
    } catch (error) {
      const code = sqliteCodeOf(error);
      if (code === CORRUPT) return true; // SQLite has compared the sizes itself
      if (code === BUSY) return false; // another program has the lock, and the next search repeats this
      throw error;
    }
  };
}
