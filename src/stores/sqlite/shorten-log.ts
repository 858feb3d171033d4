import { closeSync, fstatSync, ftruncateSync, openSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The format of a write-ahead log: a header, then one frame per page with a header of its own. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Commits wait while a step is cut off: 2 to 10 ms. SQLite's own truncation of 400 MB made one wait for 600 ms. */
const STEP_BYTES = 4 * 1024 * 1024;
/** A log that a reader still uses is not tried again at once. */
const RESTART_INTERVAL_MS = 1_000;

/** How many pages the log has, and how many of them are checkpointed. `busy`: 1 when others were in the way. */
export type LogRow = { busy: number; log: number; checkpointed: number };

/**
 * Prepares shortening the file of a log that a long reader has made too long. SQLite writes the log from its beginning
 * again once all of it is checkpointed and nobody reads it. Then the rest of the file is of no use.
 *
 * @param options.measure reads the state of the log on another connection
 * @returns a function that shortens the file by one step if it can
 */
export function prepareShortenLog(options: {
  path: string;
  timeoutMs: number;
  maxLogBytes: number;
  measure: () => LogRow;
}) {
  const { path, timeoutMs, maxLogBytes, measure } = options;
  const db = new DatabaseSync(path, { timeout: timeoutMs });
  db.exec('PRAGMA synchronous = FULL');
  db.exec('PRAGMA wal_autocheckpoint = 0');
  // The log of this connection, also when another file is put at its path later. SQLite follows links.
  const logFile = openSync(`${realpathSync(path)}-wal`, 'r+');
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
  let nextRestartAt = 0;

  const usedBytes = (): number => LOG_HEADER_BYTES + measure().log * (FRAME_HEADER_BYTES + pageBytes);

  /** Holds the lock of the writer, so that nothing is added to the log. */
  function cutStep(): void {
    db.exec('BEGIN IMMEDIATE');
    try {
      const { size } = fstatSync(logFile);
      const bytes = Math.max(maxLogBytes, usedBytes(), size - STEP_BYTES);
      if (bytes < size) ftruncateSync(logFile, bytes);
    } finally {
      db.exec('ROLLBACK');
    }
  }

  /** Writes a row without a change: a commit after a complete checkpoint restarts the log. */
  function restart(): void {
    if (performance.now() < nextRestartAt) return;
    nextRestartAt = performance.now() + RESTART_INTERVAL_MS;
    db.exec('UPDATE run_state SET is_running = is_running');
  }

  return {
    shorten(): void {
      const { size } = fstatSync(logFile);
      if (size <= maxLogBytes) return;
      const { log, checkpointed } = measure();
      if (usedBytes() <= maxLogBytes) cutStep();
      else if (log === checkpointed) restart();
    },
    close(): void {
      closeSync(logFile);
      db.close();
    },
  };
}
