import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../error-details.ts';
import type { Attempt } from '../../links/attempt.ts';
import type { ResumeRequest } from '../../links/lease.ts';
import type { EpochMs, NotifiedLinks } from '../../links/link.ts';
import type { EndedDownload } from '../../links/ports.ts';
import { serveCalls } from '../../threads/calls.ts';
import { type AbortFlagArray, readAbortFlags } from '../abort-flags.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import type { Projected } from '../read-projected.ts';
import { createAccessWrites } from '../sql/access.ts';
import { type Change, type CodeChange, changeCode, changeLinks } from '../sql/change-links.ts';
import { commitAttempts } from '../sql/commit-attempts.ts';
import { createCorrectTimes } from '../sql/correct-times.ts';
import { type Creation, createLinks } from '../sql/create-links.ts';
import { erasePart } from '../sql/ended-links.ts';
import { eraseEntries, updateOrigins } from '../sql/erase.ts';
import { expireDue } from '../sql/expire-due.ts';
import { createIdempotencyWrites } from '../sql/idempotent-requests.ts';
import type { LinkTransaction } from '../sql/link-transaction.ts';
import { createNotificationWrites } from '../sql/notifications.ts';
import { changePerson } from '../sql/people.ts';
import { SQLITE } from '../sql/query.ts';
import { recordDownloads } from '../sql/record-downloads.ts';
import { createLeaseDeletion, resumeDownloads } from '../sql/resume-downloads.ts';
import { type Revocation, revokeLinks } from '../sql/revoke-links.ts';
import { submitFiles } from '../sql/submit-files.ts';
import { changeTeam } from '../sql/teams.ts';
import { transferLinks } from '../sql/transfer-links.ts';
import { createUploadLedger } from '../sql/upload-ledger.ts';
import { openForWriting } from './connection.ts';
import { isUnavailable, openUndamaged } from './errors.ts';
import { openLinkTransactions } from './open-link-transactions.ts';
import type { ProjectorOptions } from './projector.ts';
import { prepareCommit, prepareQuery, prepareRun } from './query.ts';
import { createSchema } from './schema.ts';
import { beginRun, lockStore } from './store-lock.ts';
import { watchFile } from './watch-file.ts';

export type WriterData = {
  path: string;
  busyTimeoutMs?: number;
  projector?: ProjectorOptions;
  /** True for the service, false for a command that runs beside it. */
  isService?: boolean;
  /** For how long a start waits for another service on the same file to end. */
  lockTimeoutMs?: number;
};
/** The data with which the thread is started. */
type WriterThreadData = WriterData & { abortFlags: AbortFlagArray; maxLogBytes: number };

/** Returns the operations of the one thread that writes, each a short transaction. */
async function openWriter(options: WriterThreadData) {
  const { path, busyTimeoutMs, abortFlags, projector: projectorOptions = {}, isService = true } = options;
  const db = openForWriting(path, busyTimeoutMs);
  db.exec(`PRAGMA journal_size_limit = ${options.maxLogBytes}`);
  createSchema(db);
  const lock = lockStore(path, { isRequired: isService, timeoutMs: options.lockTimeoutMs });
  const run = prepareRun(db);
  const query = prepareQuery(db, run);
  await assertNoUnfinishedMove(query);
  const runState = lock ? beginRun(db) : undefined;
  const { guard, findProblems } = watchFile(db, path);
  const links = openLinkTransactions(db, run, { ...projectorOptions, isOwner: lock !== undefined });
  const { projector } = links;
  const onLinks = <Inputs extends unknown[], Result>(
    operation: (transaction: LinkTransaction, ...inputs: Inputs) => Promise<Result>,
  ) => guard((...inputs: Inputs) => links.onLinks((transaction) => operation(transaction, ...inputs)));
  const commit = guard(prepareCommit(db, query));
  return {
    commitAttempts: onLinks((transaction, attempts: Attempt[], firstFlag: number) =>
      commitAttempts(transaction, attempts, readAbortFlags(abortFlags, firstFlag)),
    ),
    createLinks: onLinks((transaction, creations: Creation[]) => createLinks(transaction, creations)),
    changeLinks: onLinks((transaction, changes: Change[]) => changeLinks(transaction, changes)),
    revokeLinks: onLinks((transaction, revocations: Revocation[]) => revokeLinks(transaction, revocations)),
    changeCode: onLinks((transaction, change: CodeChange) => changeCode(transaction, change)),
    submitFiles: onLinks(submitFiles),
    recordDownloads: onLinks((transaction, downloads: EndedDownload[]) =>
      recordDownloads(transaction, downloads),
    ),
    resumeDownloads: onLinks((transaction, requests: ResumeRequest[]) =>
      resumeDownloads(transaction, requests),
    ),
    expireDue: onLinks((transaction, now: EpochMs, limit: number, notifiedLinks?: NotifiedLinks) =>
      expireDue(transaction, { now, limit, notifiedLinks }),
    ),
    transferLinks: onLinks(transferLinks),
    eraseEntries: onLinks(eraseEntries),
    updateOrigins: onLinks(updateOrigins),
    erasePart: onLinks(erasePart),
    readLink: links.readLink,
    project: guard((of: Projected) => projector.waitFor(of)),
    ...createUploadLedger(commit, SQLITE),
    ...createLeaseDeletion(commit),
    ...createIdempotencyWrites(commit, SQLITE),
    ...createAccessWrites(commit, SQLITE),
    changePerson: onLinks(changePerson),
    changeTeam: onLinks(changeTeam),
    ...createNotificationWrites(commit),
    ...createCorrectTimes(commit),
    findProblems,
    measureProjector: projector.measure,
    /** Returns why something could not be projected; undefined if all could. */
    findProjectionFailure(): string | undefined {
      const failure = projector.failure();
      if (failure === undefined || isUnavailable(failure)) return projector.describeRejected();
      return messageOf(failure);
    },
    probe: () => Number(db.prepare('SELECT 1 AS one').get()?.['one']),
    /** Returns whether the file is known to be whole. */
    isChecked: () => runState?.isChecked ?? true,
    setChecked: (isChecked: boolean): void => runState?.setChecked(isChecked),
    close(): void {
      projector.finish();
      runState?.end();
      db.close();
      lock?.close();
    },
  };
}

export type WriterOperations = Awaited<ReturnType<typeof openWriter>>;

// `startThread` was called with this data.
if (parentPort) serveCalls(parentPort, await openUndamaged(() => openWriter(workerData as WriterThreadData)));
