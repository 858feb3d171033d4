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

export type WriterData = { path: string; busyTimeoutMs?: number };
/** What the thread is started with. */
type WriterThreadData = WriterData & { departures: DepartureFlags };

/** Returns the operations of the one thread that writes, each a short transaction. */
async function openWriter({ path, busyTimeoutMs, departures }: WriterThreadData) {
  const db = openForWriting(path, busyTimeoutMs);
  migrate(db);
  const query = prepareQuery(db);
  await assertNoUnfinishedMove(query);
  const commitAttempts = prepareCommitAttempts(db);
  return {
    commitAttempts: (rows: AttemptRow[], firstFlag: number) =>
      commitAttempts(rows, readDepartures(departures, firstFlag)),
    createLinks: prepareCreateLinks(db),
    revokeLink: prepareRevokeLink(db),
    expireDue: prepareExpireDue(db),
    ...prepareUploadLedger(db),
    ...createKeyWrites((work) => work(query)), // a statement is a transaction
    probe: () => Number(db.prepare('SELECT 1 AS one').get()?.['one']),
    close: () => db.close(),
  };
}
export type WriterOperations = Awaited<ReturnType<typeof openWriter>>;

if (parentPort) serveCalls(parentPort, await openWriter(workerData as WriterThreadData)); // what `startThread` was given
