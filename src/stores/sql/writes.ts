import type { EpochMs } from '../../core/model/link.ts';
import type { EvidenceStore } from '../../core/ports/evidence.ts';
import { type AttemptRow, fromAttemptRow, toOutcomeRow } from '../attempt-rows.ts';
import { createAccessWrites } from './access.ts';
import { changeCode, changeLinks } from './change-links.ts';
import { commitAttempts } from './commit-attempts.ts';
import { createCorrectTimes } from './correct-times.ts';
import { createLinks } from './create-links.ts';
import { erasePart } from './ended-links.ts';
import { eraseEntries, updateOrigins } from './erase.ts';
import { saveTree } from './evidence.ts';
import { createIdempotencyWrites } from './idempotent-requests.ts';
import { recordBackup } from './last-backup.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { createNotificationWrites } from './notifications.ts';
import { changePerson } from './people.ts';
import type { Commit, Dialect } from './query.ts';
import { createCodeDeletion } from './recipient-codes.ts';
import { recordDownloads } from './record-downloads.ts';
import { createLeaseDeletion, resumeDownloads } from './resume-downloads.ts';
import { revokeLinks } from './revoke-links.ts';
import { submitFiles } from './submit-files.ts';
import { changeTeam } from './teams.ts';
import { transferLinks } from './transfer-links.ts';
import { createUploadLedger } from './upload-ledger.ts';

/** Returns an operation that runs in one transaction on links. */
export type OnLinks = <Inputs extends unknown[], Result>(
  operation: (transaction: LinkTransaction, ...inputs: Inputs) => Promise<Result>,
) => (...inputs: Inputs) => Promise<Result>;

type Engine = {
  onLinks: OnLinks;
  /** Does the same for operations that need all of their links. */
  onAllLinks: OnLinks;
  commit: Commit;
  dialect: Dialect;
};

/** Returns the operations of both engines that write. */
export const createWrites = ({ onLinks, onAllLinks, commit, dialect }: Engine) => ({
  commitAttempts: onLinks(async (transaction, rows: readonly AttemptRow[]) => {
    const outcomes = await commitAttempts(transaction, rows.map(fromAttemptRow));
    return outcomes.map(toOutcomeRow);
  }),
  createLinks: onLinks(createLinks),
  changeLinks: onLinks(changeLinks),
  revokeLinks: onLinks(revokeLinks),
  changeCode: onLinks(changeCode),
  submitFiles: onLinks(submitFiles),
  recordDownloads: onLinks(recordDownloads),
  resumeDownloads: onLinks(resumeDownloads),
  transferLinks: onAllLinks(transferLinks),
  changePerson: onAllLinks(changePerson),
  changeTeam: onAllLinks(changeTeam),
  eraseEntries: onLinks(eraseEntries),
  updateOrigins: onLinks(updateOrigins),
  erasePart: onLinks(erasePart),
  ...createUploadLedger(commit, dialect),
  ...createLeaseDeletion(commit),
  ...createCodeDeletion(commit),
  ...createIdempotencyWrites(commit, dialect),
  ...createAccessWrites(commit, dialect),
  ...createNotificationWrites(commit),
  ...createCorrectTimes(commit),
  saveTree: (...changed: Parameters<EvidenceStore['saveTree']>): Promise<boolean> =>
    commit((query) => saveTree(query, dialect, ...changed)),
  recordBackup: (at: EpochMs): Promise<void> => commit((query) => recordBackup(query, at)),
});
