import { closeSync, fstatSync, openSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../calls.ts';

/**
 * The write-ahead log is checkpointed once it has so many pages of 2 KiB. Links' pages are written over and over, and
 * a long log needs only the last version of each. With 10,000 of 10 million links being opened, the rate is 0.86 of
 * that in a store of 10,000 links; with checkpoints four times as often, 0.73.
 */
const LONG_LOG_PAGES = 32_000;
/** At most so many pages are left for the full checkpoint, which blocks the writer. */
const FULL_CHECKPOINT_PAGES = 2_000;
/** Each round copies what was written during the one before, which is less. Under heavier load these are enough. */
const MAX_ROUNDS = 8;
const POLL_INTERVAL_MS = 50;
/** A full checkpoint waits this long for the writer to be between two commits, and for readers. */
const TIMEOUT_MS = 10;

/** A log that a reader still uses is not tried again at once. */
const RESTART_INTERVAL_MS = 1_000;

/** `longLogPages`: a log of at least so many pages is checkpointed. */
export type CheckpointData = { longLogPages?: number };
/** The number of pages of the log, and of those that are checkpointed. */
type LogRow = { log: number; checkpointed: number };

/**
 * Checkpoints the write-ahead log in a thread of its own: a commit that had to do it as well would take a tenth of a
 * second and more.
 */
function openCheckpointer(options: { path: string; maxLogBytes: number } & CheckpointData) {
  const { path, longLogPages = LONG_LOG_PAGES, maxLogBytes } = options;
  const db = new DatabaseSync(path, { timeout: TIMEOUT_MS });
  db.exec(
    `PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${maxLogBytes}`,
  );
  // The log of this connection, also when another file is put at its path later. SQLite follows links.
  const logFile = openSync(`${realpathSync(path)}-wal`, 'r');
  let nextRestartAt = 0;
  const selectLog = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  const measure = () => selectLog.get() as LogRow; // the columns of the pragma
  const checkpointLog = prepareCheckpoint(db, measure);

  /**
   * Restarts a log that a long reader has made too long, once all of it is checkpointed and no reader is left: SQLite cuts
   * the file off at the next commit, which here writes a row without a change.
   */
  function shortenLog(): void {
    if (performance.now() < nextRestartAt || fstatSync(logFile).size <= maxLogBytes) return;
    const { log, checkpointed } = measure();
    if (log !== checkpointed) return;
    nextRestartAt = performance.now() + RESTART_INTERVAL_MS;
    db.exec('UPDATE run_state SET is_running = is_running');
  }

  function checkpoint(fromPages: number): void {
    try {
      checkpointLog(fromPages);
      shortenLog();
    } catch {
      // Nothing is lost: what is not checkpointed stays in the log, and the next poll retries. A log that fills its disk is
      // a problem of the disk.
    }
  }

  const timer = setInterval(() => checkpoint(longLogPages), POLL_INTERVAL_MS);
  return {
    checkpoint,
    close(): void {
      clearInterval(timer);
      closeSync(logFile);
      db.close();
    },
  };
}
export type CheckpointOperations = ReturnType<typeof openCheckpointer>;

/** Prepares a checkpoint of the log if it has at least so many pages. */
function prepareCheckpoint(db: DatabaseSync, measure: () => LogRow): (fromPages: number) => void {
  const passiveCheckpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const fullCheckpoint = db.prepare('PRAGMA wal_checkpoint(FULL)');
  const pendingPages = ({ log, checkpointed }: LogRow) => log - checkpointed;

  return (fromPages) => {
    const found = measure();
    if (found.log < fromPages || pendingPages(found) === 0) return;
    let left = pendingPages(found);
    for (let round = 0; round < MAX_ROUNDS && left > FULL_CHECKPOINT_PAGES; round++) {
      passiveCheckpoint.get();
      const stillLeft = pendingPages(measure());
      if (stillLeft >= left) return; // a reader holds an old view, or the writer is as fast: the next poll continues
      left = stillLeft;
    }
    // After a complete checkpoint the next commit restarts the log. While the writer is in a transaction this
    // copies what it can, and the next poll continues.
    if (left <= FULL_CHECKPOINT_PAGES) fullCheckpoint.get();
  };
}

// `startThread` was called with this data.
if (parentPort)
  serveCalls(parentPort, openCheckpointer(workerData as Parameters<typeof openCheckpointer>[0]));
