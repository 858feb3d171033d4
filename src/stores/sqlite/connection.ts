import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How long a statement waits for another process's lock before it fails. */
const BUSY_TIMEOUT_MS = 5_000;
/** Memory for pages of the writer, which touches the whole of `link` at random; in KiB. */
const WRITER_CACHE_KIB = 32_768;

/**
 * Each attempt on another link writes another page to the log: half the default, so half to copy and to check.
 * Commits of 32 attempts spread over 100,000 links run at 51 instead of 48 k/s, the slowest hundredth in half the
 * time; 1 KiB gains nothing more.
 */
export const PAGE_BYTES = 2_048;

/**
 * Opens a database for writing, making it and its directory where there is none.
 *
 * `synchronous = FULL` flushes the write-ahead log before each commit returns: only so is an answer after the
 * commit an answer after the record is durable.
 */
export function openForWriting(path: string, busyTimeoutMs = BUSY_TIMEOUT_MS): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600)); // targets and hashes are nobody else's business
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`); // of a new file; an older one keeps its own
  enableWal(db, busyTimeoutMs);
  db.exec('PRAGMA synchronous = FULL');
  db.exec(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  db.exec('PRAGMA wal_autocheckpoint = 0'); // another thread's work
  return db;
}

const SQLITE_BUSY = 5;
const RETRY_EACH_MS = 5;

/**
 * Turns the write-ahead log on. While another process does the same to a new file SQLite does not wait for its lock
 * but fails at once, lest both wait for each other; so the waiting is done here.
 */
function enableWal(db: DatabaseSync, busyTimeoutMs: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (const givesUpAt = performance.now() + busyTimeoutMs; ; Atomics.wait(pause, 0, 0, RETRY_EACH_MS)) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (!isBusy || performance.now() > givesUpAt) throw error;
    }
  }
}

/** How long folding the log waits for the writer to be between two commits; a reader may hold it up as long. */
const CHECKPOINT_TIMEOUT_MS = 10;

/** Opens an existing database to fold its log into its file. */
export function openForCheckpoints(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: CHECKPOINT_TIMEOUT_MS });
  db.exec('PRAGMA synchronous = FULL');
  return db;
}

/** Opens an existing database for reading; readers see the last commit and never hold up the writer. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** Runs `work` in one write transaction: all of it is committed and durable, or none of it. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Runs reads on one consistent view of the database. */
export function inSnapshot<T>(db: DatabaseSync, read: () => T): T {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}
