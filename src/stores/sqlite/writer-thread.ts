import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../common/error-details.ts';
import type { EpochMs, NotifiedLinks } from '../../core/model/link.ts';
import { serveCalls } from '../calls.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import type { Projected } from '../read-projected.ts';
import { expireDue } from '../sql/expire-due.ts';
import { SQLITE } from '../sql/query.ts';
import { EXPIRE_INTERRUPTED } from '../sql/upload-ledger.ts';
import { createWrites, type OnLinks } from '../sql/writes.ts';
import { openForWriting } from './connection.ts';
import { isUnavailable, openUndamaged } from './errors.ts';
import { openLinkTransactions } from './open-link-transactions.ts';
import type { ProjectorOptions } from './projector.ts';
import { prepareCommit, prepareQuery, prepareRun } from './query.ts';
import { createSchema } from './schema.ts';
import { beginRun, endRun, lockStore } from './store-lock.ts';
import { watchFile } from './watch-file.ts';

export type WriterData = {
  path: string;
  busyTimeoutMs?: number;
  projector?: ProjectorOptions;
  /** For how long a start waits for another service on the same file to end. */
  lockTimeoutMs?: number;
};
/** The data with which the thread is started. */
type WriterThreadData = WriterData & { maxLogBytes: number };

/** Returns the operations of the one thread that writes, each a short transaction. */
async function openWriter(options: WriterThreadData) {
  const { path, busyTimeoutMs, projector: projectorOptions = {} } = options;
  const db = openForWriting(path, busyTimeoutMs);
  db.exec(`PRAGMA journal_size_limit = ${options.maxLogBytes}`);
  createSchema(db);
  const lock = lockStore(path, options.lockTimeoutMs);
  const run = prepareRun(db);
  const query = prepareQuery(db, run);
  await assertNoUnfinishedMove(query);
  beginRun(db);
  db.exec(EXPIRE_INTERRUPTED);
  const { guard, findProblems, measureFreeBytes } = watchFile(db, path);
  const links = openLinkTransactions(db, run, projectorOptions);
  const { projector } = links;
  const onLinks: OnLinks = (operation) =>
    guard((...inputs) => links.onLinks((transaction) => operation(transaction, ...inputs)));
  const commit = guard(prepareCommit(db, query));
  return {
    ...createWrites({ onLinks, onAllLinks: onLinks, commit, dialect: SQLITE }),
    expireDue: onLinks((transaction, now: EpochMs, limit: number, notifiedLinks?: NotifiedLinks) =>
      expireDue(transaction, { now, limit, notifiedLinks }),
    ),
    readLink: links.readLink,
    project: guard((of: Projected) => projector.waitFor(of)),
    ...{ findProblems, measureFreeBytes },
    measureProjector: projector.measure,
    /** Returns why the last round failed; undefined if it did not, or if the database cannot be used. */
    findProjectionFailure(): string | undefined {
      const failure = projector.failure();
      return failure === undefined || isUnavailable(failure) ? undefined : messageOf(failure);
    },
    probe: () => Number(db.prepare('SELECT 1 AS one').get()?.['one']),
    close(): void {
      projector.finish();
      endRun(db);
      db.close();
      lock.close();
    },
  };
}

export type WriterOperations = Awaited<ReturnType<typeof openWriter>>;

// `startThread` was called with this data.
if (parentPort) serveCalls(parentPort, await openUndamaged(() => openWriter(workerData as WriterThreadData)));
