import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf } from '../../common/error-details.ts';
import { assertAccess, hasStore } from './database-file.ts';
import { SQLITE_ERROR, sqliteCodeOf } from './errors.ts';

/** A statement waits this long for another process's lock before it fails. */
const BUSY_TIMEOUT_MS = 5_000;
/** The page cache of the writer, which reads and writes all of `link` at random. */
const WRITER_CACHE_KIB = 32_768;

/**
 * Half the default: each attempt on another link writes a page to the log, which has to be copied and checksummed.
 * Commits of 32 attempts spread over 100,000 links run at 51 instead of 48 k/s, the slowest hundredth in half the
 * time; 1 KiB gains nothing more.
 */
export const PAGE_BYTES = 2_048;

/**
 * Opens a database for writing, creating it and its directory where they are missing.
 *
 * `synchronous = FULL` flushes the write-ahead log before each commit returns, so that a response after the commit
 * is one after the record is durable.
 *
 * @throws before it changes anything, when the file is not a store and cannot become one, see `hasStore`
 */
export function openForWriting(path: string, busyTimeoutMs = BUSY_TIMEOUT_MS): DatabaseSync {
  if (!hasStore(path)) createFile(path);
  assertAccess(path, constants.W_OK, 'write');
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`); // applies to a new file only
  enableWal(db, busyTimeoutMs);
  db.exec('PRAGMA synchronous = FULL');
  db.exec(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  db.exec('PRAGMA wal_autocheckpoint = 0'); // checkpoint-thread.ts does it
  return db;
}

/**
 * Creates an empty file that other users may not read, because it will hold targets and hashes. An existing file is not
 * opened: closing it would release every lock that SQLite holds on it in this process.
 */
export function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const RETRY_INTERVAL_MS = 5;

/**
 * Enables the write-ahead log. While another process does so on a new file, SQLite fails at once instead of waiting
 * for the lock, to prevent a deadlock; so this retries.
 */
function enableWal(db: DatabaseSync, busyTimeoutMs: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (const deadline = performance.now() + busyTimeoutMs; ; Atomics.wait(pause, 0, 0, RETRY_INTERVAL_MS)) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (sqliteCodeOf(error) !== SQLITE_ERROR.BUSY || performance.now() > deadline) throw error;
    }
  }
}

/** Opens an existing database for reading. Readers see the last commit and never block the writer. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** A program that reads for a moment does not end a command that needs the database alone. */
const ALONE_TIMEOUT_MS = 1_000;

/**
 * Opens an existing database alone: no other connection, also of another process, can be opened until this one is
 * closed.
 *
 * @throws while the service or another program has it open
 */
export function openAlone(path: string): DatabaseSync {
  assertAccess(path, constants.W_OK, 'write');
  const db = new DatabaseSync(path, { timeout: ALONE_TIMEOUT_MS });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE'); // before the first read: then the lock is that of the whole file
    db.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (cause) {
    db.close();
    if (sqliteCodeOf(cause) !== SQLITE_ERROR.BUSY) throw cause;
    throw new Error(
      'the service or another program uses the database: stop the service, close the other program, and repeat the command',
      { cause },
    );
  }
  db.exec(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  return db;
}

/** Runs reads that see one moment. */
export function inSnapshot<T>(db: DatabaseSync, read: () => T): T {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
}

/** Begins a write transaction. It is rolled back at the end of its scope, unless it is committed and durable by then. */
export function beginTransaction(db: DatabaseSync) {
  db.exec('BEGIN IMMEDIATE');
  return {
    commit: (): void => db.exec('COMMIT'),
    [Symbol.dispose](): void {
      if (db.isTransaction) db.exec('ROLLBACK');
    },
  };
}

/** Runs `work` in one write transaction: all of it is committed and durable, or nothing. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  using transaction = beginTransaction(db);
  const result = work();
  transaction.commit();
  return result;
}
