import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { openForCheckpoints } from './connection.ts';

/**
 * The log is folded into the file when it has so many pages of 2 KiB. The pages of links are written over and over,
 * and a long log folds each of them once for many writes. With 10,000 of 10 million links being opened, the rate is
 * 0.86 of that in a store of 10,000 links; folded four times as often, 0.73.
 */
const LONG_LOG_PAGES = 32_000;
/** What may be left for the last round, in which the writer waits. */
const LAST_ROUND_PAGES = 2_000;
/** Each round folds what was written during the one before, which is less; under more load than that it is enough. */
const MAX_ROUNDS = 8;
const LOOK_EACH_MS = 50;

/** From how many pages on the log is folded. */
export type CheckpointData = { longLogPages?: number };

/**
 * The thread that folds the write-ahead log into the file, beside the writer: a commit that had to do it as well
 * would take a tenth of a second and more.
 */
function openCheckpointer({ path, longLogPages = LONG_LOG_PAGES }: { path: string } & CheckpointData) {
  const db = openForCheckpoints(path);
  const fold = prepareCheckpoint(db);
  const timer = setInterval(() => fold(longLogPages), LOOK_EACH_MS);
  return {
    fold,
    ready: (_: null) => {},
    close(_: null): void {
      clearInterval(timer);
      db.close();
    },
  };
}
export type CheckpointOperations = ReturnType<typeof openCheckpointer>;

/** What is in the log, in pages, and how many of them are folded into the file already. */
type LogRow = { log: number; checkpointed: number };

/** Folds the log where it has at least so many pages. */
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
      for (let round = 0; round < MAX_ROUNDS && left > LAST_ROUND_PAGES; round++) {
        passiveCheckpoint.get();
        const stillLeft = pendingPages(measure.get() as LogRow);
        if (stillLeft >= left) return; // somebody reads an old view, or writes as fast: the next look goes on
        left = stillLeft;
      }
      // Once all of it is folded, the next commit starts the log anew. Where the writer is in a transaction this
      // folds what it can, and the next look goes on.
      if (left <= LAST_ROUND_PAGES) fullCheckpoint.get();
    } catch {
      // Nothing is lost: what is not folded stays in the log, and the next look tries again. A disk that is full or
      // broken fails the writer's commits as well.
    }
  };
}

if (parentPort) serveCalls(parentPort, openCheckpointer(workerData));
