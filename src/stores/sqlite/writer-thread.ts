import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import type { AttemptRow } from '../attempt-row.ts';
import { type DepartureFlags, readDepartures } from '../departures.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createKeyWrites } from '../sql/keys.ts';
import { prepareCommitAttempts } from './commit-attempts.ts';
import { openForWriting } from './connection.ts';
import { prepareCreateLinks } from './create-links.ts';
import { prepareExpireDue } from './expire-due.ts';
import { migrate } from './migrate.ts';
import { prepareQuery } from './query.ts';
import { prepareRevokeLink } from './revoke-link.ts';
import { prepareUploadLedger } from './upload-ledger.ts';
import { watchFile } from './watch-file.ts';

export type WriterData = { path: string; busyTimeoutMs?: number };
/** What the thread is started with. */
type WriterThreadData = WriterData & { departures: DepartureFlags };

/** Returns the operations of the one thread that writes, each a short transaction. */
async function openWriter({ path, busyTimeoutMs, departures }: WriterThreadData) {
  const db = openForWriting(path, busyTimeoutMs);
  migrate(db);
  const query = prepareQuery(db);
  await assertNoUnfinishedMove(query);
  const { guard, findProblems } = watchFile(db, path);
  const commitAttempts = prepareCommitAttempts(db);
  const uploads = prepareUploadLedger(db);
  return {
    commitAttempts: guard((rows: AttemptRow[], firstFlag: number) =>
      commitAttempts(rows, readDepartures(departures, firstFlag)),
    ),
    createLinks: guard(prepareCreateLinks(db)),
    revokeLink: guard(prepareRevokeLink(db)),
    expireDue: guard(prepareExpireDue(db)),
    beginUploads: guard(uploads.beginUploads),
    abandonUpload: guard(uploads.abandonUpload),
    claimStaleUploads: guard(uploads.claimStaleUploads),
    deleteUpload: guard(uploads.deleteUpload),
    ...createKeyWrites(guard((work) => work(query))), // a statement is a transaction
    findProblems,
    probe: () => Number(db.prepare('SELECT 1 AS one').get()?.['one']),
    close: () => db.close(),
  };
}
export type WriterOperations = Awaited<ReturnType<typeof openWriter>>;

if (parentPort) serveCalls(parentPort, await openWriter(workerData as WriterThreadData)); // what `startThread` was given
