import { realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createFile } from './connection.ts';
import { SQLITE_ERROR, sqliteCodeOf } from './errors.ts';

/** For how long a start waits: a service that stops, and lets its requests end, takes less. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Locks a store for one service: only one can know which links lack entries.
 *
 * @throws when another process has the lock and does not end in time
 */
export function lockStore(path: string, timeoutMs = LOCK_TIMEOUT_MS): { close(): void } {
  const lock = lockPath(path, timeoutMs);
  if (lock) return lock;
  throw new Error(
    'another service or a command, such as `postern import`, uses this database: stop it, or name another file in ' +
      'app.database.url; several services share a database on PostgreSQL only',
  );
}

export const lockFileOf = (path: string): string => `${realpathSync(path)}-lock`;

/**
 * Locks a path for one process. The lock is on a file of its own beside it, and ends with the process.
 *
 * @returns undefined while another process has the lock
 */
export function lockPath(path: string, timeoutMs: number): { close(): void } | undefined {
  const file = lockFileOf(path);
  createFile(file);
  const lock = new DatabaseSync(file, { timeout: timeoutMs });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { close: () => lock.close() };
  } catch (error) {
    lock.close();
    if (sqliteCodeOf(error) !== SQLITE_ERROR.BUSY) throw error;
    return undefined;
  }
}

/**
 * Notes that a service runs on the store. After one that did not stop, the write-ahead log restarts: a flush that failed
 * before the kill may have left a commit only in the memory of the system, where no later flush writes it. With the power,
 * each commit after it would be lost.
 */
export function beginRun(db: DatabaseSync): void {
  const state = db.prepare('SELECT is_running FROM run_state').get();
  if (state?.['is_running'] !== 0) {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    endRun(db); // the log restarts only with a commit that changes a row
  }
  db.exec('UPDATE run_state SET is_running = 1');
}

/** Notes that the service has stopped. */
export const endRun = (db: DatabaseSync): void => db.exec('UPDATE run_state SET is_running = 0');
