import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { prepareCommitAttempts } from './commit-attempts.ts';
import { openForWriting } from './connection.ts';
import { prepareCreateLinks } from './create-links.ts';
import { prepareExpireDue } from './expire-due.ts';
import { migrate } from './migrate.ts';
import { readMoveMark } from './move-mark.ts';
import { prepareRevokeLink } from './revoke-link.ts';
import { prepareUploadLedger } from './upload-ledger.ts';

/** What the writer's thread is started with. */
export type WriterData = { path: string; busyTimeoutMs?: number };

/** The one thread that writes: it holds every lock for as short as its transactions are. */
function openWriter({ path, busyTimeoutMs }: WriterData) {
  const db = openForWriting(path, busyTimeoutMs);
  migrate(db);
  assertNoUnfinishedMove(readMoveMark(db));
  return {
    commitAttempts: prepareCommitAttempts(db),
    createLinks: prepareCreateLinks(db),
    revokeLink: prepareRevokeLink(db),
    expireDue: prepareExpireDue(db),
    ...prepareUploadLedger(db),
    probe: (_: null) => Number(db.prepare('SELECT 1 AS one').get()?.['one']),
    ready: (_: null) => {},
    close: (_: null) => db.close(),
  };
}
export type WriterOperations = ReturnType<typeof openWriter>;

if (parentPort) serveCalls(parentPort, openWriter(workerData));
