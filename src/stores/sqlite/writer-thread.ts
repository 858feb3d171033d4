import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { EpochMs } from '../../links/link.ts';
import { serveCalls } from '../../threads/calls.ts';
import type { AttemptRow } from '../attempt-row.ts';
import { type DepartureFlags, readDepartures } from '../departures.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createKeyWrites } from '../sql/keys.ts';
import { prepareCommitAttempts } from './commit-attempts.ts';
import { compareState, prepareCountCommits, readCommitCount } from './commit-counter.ts';
import { inTransaction, openForWriting } from './connection.ts';
import { prepareCreateLinks } from './create-links.ts';
import { openWhole } from './damage.ts';
import { prepareExpireDue } from './expire-due.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { prepareQuery } from './query.ts';
import { prepareRevokeLink } from './revoke-link.ts';
import { openStateFile, readState } from './state-file.ts';
import { prepareUploadLedger } from './upload-ledger.ts';
import { watchFile } from './watch-file.ts';

export type WriterData = { path: string; busyTimeoutMs?: number };
/** What the thread is started with. */
type WriterThreadData = WriterData & { departures: DepartureFlags };

/** Returns the operations of the one thread that writes, each a short transaction. */
async function openWriter({ path, busyTimeoutMs, departures }: WriterThreadData) {
  const db = openForWriting(path, busyTimeoutMs);
  const isNew = schemaVersion(db) === 0;
  migrate(db);
  const query = prepareQuery(db);
  await assertNoUnfinishedMove(query);
  const { state, stateFile } = inTransaction(db, () => {
    const found = { ...readCommitCount(db), isNew, newestRecordAt: () => newestRecordAt(db) };
    const state = compareState(readState(path), found);
    return { state, stateFile: openStateFile(path, state) };
  });
  const { guard, guardAsync, findProblems } = watchFile(db, path);
  const { counted, commitWork } = prepareCountCommits(db, { afterCommit: stateFile.noteCommit });
  const commitAttempts = prepareCommitAttempts(db);
  const ledger = prepareUploadLedger(db);
  return {
    commitAttempts: guard(
      counted((rows: AttemptRow[], firstFlag: number) =>
        commitAttempts(rows, readDepartures(departures, firstFlag)),
      ),
    ),
    createLinks: guard(counted(prepareCreateLinks(db))),
    revokeLink: guard(counted(prepareRevokeLink(db))),
    expireDue: guard(counted(prepareExpireDue(db))),
    beginUploads: guard(counted(ledger.beginUploads)),
    abandonUpload: guard(counted(ledger.abandonUpload)),
    claimStaleUploads: guard(counted(ledger.claimStaleUploads)),
    deleteUpload: guard(counted(ledger.deleteUpload)),
    ...createKeyWrites(guardAsync((work) => commitWork(() => work(query)))),
    findProblems,
    probe: () => Number(db.prepare('SELECT 1 AS one').get()?.['one']),
    /** Returns what was known and found when the store was opened. */
    openingState: () => state,
    setChecked: (isChecked: boolean): void => stateFile.update({ isChecked }),
    close(): void {
      db.close();
      stateFile.close();
    },
  };
}

function newestRecordAt(db: DatabaseSync): EpochMs | null {
  const row = db.prepare('SELECT accessed_at FROM audit ORDER BY id DESC LIMIT 1').get();
  return row ? Number(row['accessed_at']) : null;
}

export type WriterOperations = Awaited<ReturnType<typeof openWriter>>;

// What `startThread` was given.
if (parentPort) serveCalls(parentPort, await openWhole(() => openWriter(workerData as WriterThreadData)));
