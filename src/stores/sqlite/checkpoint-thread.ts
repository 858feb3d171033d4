import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';

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

/** `longLogPages`: from how many pages on the log is checkpointed. */
export type CheckpointData = { longLogPages?: number };

/**
 * Checkpoints the write-ahead log in a thread of its own: a commit that had to do it as well would take a tenth of a
 * second and more.
 */
function openCheckpointer({ path, longLogPages = LONG_LOG_PAGES }: { path: string } & CheckpointData) {
  const db = new DatabaseSync(path, { timeout: TIMEOUT_MS });
  db.exec('PRAGMA synchronous = FULL');
  const checkpoint = prepareCheckpoint(db);
  const timer = setInterval(() => checkpoint(longLogPages), POLL_INTERVAL_MS);
  return {
    checkpoint,
    close(): void {
      clearInterval(timer);
      db.close();
    },
  };
}
export type CheckpointOperations = ReturnType<typeof openCheckpointer>;

/** How many pages the log has, and how many of them are checkpointed. */
type LogRow = { log: number; checkpointed: number };

/** Prepares a checkpoint of the log if it has at least so many pages. */
function prepareCheckpoint(db: DatabaseSync): (fromPages: number) => void {
  const measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  const passiveCheckpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const fullCheckpoint = db.prepare('PRAGMA wal_checkpoint(FULL)');
  const pendingPages = ({ log, checkpointed }: LogRow) => log - checkpointed;

  return (fromPages) => {
    try {
      const found = measure.get() as LogRow;
      if (found.log < fromPages || pendingPages(found) === 0) return;
      let left = pendingPages(found);
      for (let round = 0; round < MAX_ROUNDS && left > FULL_CHECKPOINT_PAGES; round++) {
        passiveCheckpoint.get();
        const stillLeft = pendingPages(measure.get() as LogRow);
        if (stillLeft >= left) return; // a reader holds an old view, or the writer is as fast: the next poll continues
        left = stillLeft;
      }
      // After a complete checkpoint the next commit restarts the log. While the writer is in a transaction this
      // copies what it can, and the next poll continues.
      if (left <= FULL_CHECKPOINT_PAGES) fullCheckpoint.get();
    } catch {
      // Nothing is lost: what is not checkpointed stays in the log, and the next poll retries. A disk that is full or
      // broken fails the writer's commits as well.
    }
  };
}

// What `startThread` was given.
if (parentPort) serveCalls(parentPort, openCheckpointer(workerData as { path: string } & CheckpointData));
