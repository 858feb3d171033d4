import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import type { AttemptRow } from '../attempt-row.ts';
import { type DepartureFlags, readDepartures } from '../departures.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createSummaryWrites } from '../sql/build-summaries.ts';
import { createCorrectTimes } from '../sql/correct-times.ts';
import { createIdempotencyWrites } from '../sql/idempotent-requests.ts';
import { createKeyWrites } from '../sql/keys.ts';
import { createNotificationWrites } from '../sql/notifications.ts';
import { type Query, SQLITE } from '../sql/query.ts';
import { prepareChangeLinks } from './change-link.ts';
import { prepareCommitAttempts } from './commit-attempts.ts';
import { compareState, LossError, prepareCountCommits } from './commit-counter.ts';
import { inOneMoment, inTransaction, openForWriting } from './connection.ts';
import { prepareCreateLinks } from './create-links.ts';
import { openWhole } from './damage.ts';
import { prepareExpireDue, prepareHasDue } from './expire-due.ts';
import { prepareOnLinks } from './on-links.ts';
import { prepareQuery } from './query.ts';
import { prepareRankTopLinks } from './rank-top-links.ts';
import { prepareReadLink } from './read-link.ts';
import { prepareReadUnwrittenLinks } from './read-unwritten.ts';
import { prepareRecordDownloads } from './record-downloads.ts';
import { prepareRevokeLinks } from './revoke-link.ts';
import { createSchema } from './schema.ts';
import { openStateFile, readState } from './state-file.ts';
import { prepareUploadLedger } from './upload-ledger.ts';
import { watchFile } from './watch-file.ts';
import { prepareWriteBack, type WriteBackOptions } from './write-back.ts';
import { writeWhenIdle } from './write-when-idle.ts';

export type WriterData = {
  path: string;
  busyTimeoutMs?: number;
  writeBack?: Omit<WriteBackOptions, 'clock'> & { idleMs?: number };
};
/** What the thread is started with. */
type WriterThreadData = WriterData & { departures: DepartureFlags };

const MAX_SHOWN_CODES = 10;

/** Returns the operations of the one thread that writes, each a short transaction. */
async function openWriter({ path, busyTimeoutMs, departures, writeBack: options = {} }: WriterThreadData) {
  const db = openForWriting(path, busyTimeoutMs);
  const { isNew } = createSchema(db);
  const query = prepareQuery(db);
  await assertNoUnfinishedMove(query);
  const { state, loss, stateFile } = inTransaction(db, () => {
    const { state, loss } = compareState(db, readState(path), { isNew });
    return { state, loss, stateFile: openStateFile(path, state) };
  });
  const { guard, guardAsync, findProblems } = watchFile(db, path, () => {
    if (loss) throw new LossError(loss);
  });
  const { counted, recorded, commitWork } = prepareCountCommits(db, stateFile);
  const writeBack = prepareWriteBack(db, options);
  const { onLinks, onDerived, recordedOnLinks } = prepareOnLinks(writeBack, { counted, recorded, guard });
  const idle = writeWhenIdle({ ...options, writeBack, onLinks: onDerived });
  const inserted = shortCodesOf(writeBack.findInserted());
  if (!loss) idle.recover();
  const rankTopLinks = prepareRankTopLinks(db, writeBack);
  const commitAttempts = prepareCommitAttempts(db, writeBack, rankTopLinks);
  const hasDue = prepareHasDue(db);
  const expireDue = onLinks(prepareExpireDue(db, writeBack));
  const ledger = prepareUploadLedger(db);
  const commit = guardAsync(<T>(work: (query: Query) => Promise<T>) => commitWork(() => work(query)));
  return {
    commitAttempts: idle.after(
      recordedOnLinks((rows: AttemptRow[], firstFlag: number) =>
        commitAttempts(rows, readDepartures(departures, firstFlag)),
      ),
    ),
    createLinks: idle.after(onLinks(prepareCreateLinks(db, writeBack, rankTopLinks))),
    recordDownloads: onLinks(prepareRecordDownloads(db, writeBack)),
    revokeLinks: idle.after(onLinks(prepareRevokeLinks(db, writeBack))),
    changeLinks: idle.after(onLinks(prepareChangeLinks(db, writeBack))),
    expireDue: guard((...[now, limit, notifies]: Parameters<typeof expireDue>) =>
      hasDue(now) ? expireDue(now, limit, notifies) : 0,
    ),
    readLink: prepareReadLink(db, writeBack.readUnwritten),
    readUnwritten: prepareReadUnwrittenLinks(() => inOneMoment(db, writeBack.readAllUnwritten)),
    beginUploads: guard(counted(ledger.beginUploads)),
    abandonUpload: guard(counted(ledger.abandonUpload)),
    claimStaleUploads: guard(counted(ledger.claimStaleUploads)),
    deleteUpload: guard(counted(ledger.deleteUpload)),
    ...createIdempotencyWrites(commit, SQLITE),
    ...createKeyWrites(commit),
    ...createNotificationWrites(commit),
    ...createSummaryWrites(commit, SQLITE),
    ...createCorrectTimes(commit),
    findProblems,
    probe: () => Number(db.prepare('SELECT 1 AS one').get()?.['one']),
    /** Returns what was known and found when the store was opened. */
    openingState: () => ({ isChecked: state.isChecked, loss, inserted }),
    setChecked: (isChecked: boolean): void => stateFile.update({ isChecked }),
    close(): void {
      idle.finish();
      db.close();
      stateFile.close();
    },
  };
}

/** Returns the first different short codes, as many as fit into a line of the log. */
function shortCodesOf(entries: readonly { shortCode: string }[]): string[] {
  return [...new Set(entries.map(({ shortCode }) => shortCode))].slice(0, MAX_SHOWN_CODES);
}

export type WriterOperations = Awaited<ReturnType<typeof openWriter>>;

// What `startThread` was given.
if (parentPort) serveCalls(parentPort, await openWhole(() => openWriter(workerData as WriterThreadData)));
