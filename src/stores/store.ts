import type { Attempt } from '../core/model/attempt.ts';
import { decideRevocation } from '../core/model/decide-change.ts';
import type { ErasureStore } from '../core/ports/erasures.ts';
import type { EvidenceStore } from '../core/ports/evidence.ts';
import type { LinkListStore } from '../core/ports/link-list.ts';
import type { NotificationStore } from '../core/ports/notifications.ts';
import type { KeyStore, PersonStore, TeamStore } from '../core/ports/people.ts';
import type {
  HistoryStore,
  IdempotencyStore,
  LinkStore,
  OnBatch,
  SharedCounts,
  StoreProbe,
  SubmittedFiles,
  TimeCorrection,
  UploadLedger,
} from '../core/ports/ports.ts';
import type { StatisticsStore } from '../core/ports/statistics.ts';
import { fromOutcomeRow, toAttemptRow } from './attempt-rows.ts';
import { Batcher, type BatcherOptions } from './batcher.ts';
import { createLinkBatcher } from './link-batcher.ts';
import type { cacheLinks } from './link-cache.ts';
import { type Project, readProjected } from './read-projected.ts';
import type { CodeChange } from './sql/change-links.ts';
import { canBeStored } from './sql/query.ts';
import type { createReads, createReports } from './sql/reads.ts';
import type { createWrites } from './sql/writes.ts';

/** Every port that a store implements. */
export type Store = LinkStore &
  UploadLedger &
  StoreProbe &
  TimeCorrection & {
    statistics: StatisticsStore;
    history: HistoryStore;
    idempotency: IdempotencyStore;
    list: LinkListStore;
    erasures: ErasureStore;
    evidence: EvidenceStore;
    keys: KeyStore;
    people: PersonStore;
    teams: TeamStore;
    notifications: NotificationStore;
    /** Undefined for a store of one instance, which counts in memory. */
    sharedCounts?: SharedCounts;
    /** Commits what is waiting, then closes what the store holds open. */
    close(): Promise<void>;
  };

/** The operations of the threads of a store. */
export type StoreOperations = ReturnType<typeof createReads> &
  ReturnType<typeof createWrites> &
  ReturnType<typeof createReports> &
  Pick<StoreProbe, 'probe' | 'measureProjector'> &
  Pick<EvidenceStore, 'readSettled'> &
  Pick<LinkStore, 'expireDue'> & { readLink: LinkStore['read']; project: Project };

/**
 * Returns what both engines do alike: operations of clients are committed in batches, and what is read of projections
 * waits for them. `links`: the cache of them. `settled` resolves when no operation is waiting.
 */
export function batchOperations(
  database: StoreOperations,
  links: Pick<ReturnType<typeof cacheLinks>, 'find' | 'findCached'>,
  options: { attempts?: BatcherOptions; creations?: BatcherOptions },
) {
  let onBatch: OnBatch = () => {};
  const observed = (operation: string): BatcherOptions => ({
    onBatch: (batch) => onBatch(operation, batch),
  });
  const commitAttempts = async (items: Attempt[]) => {
    const rows = await database.commitAttempts(items.map(toAttemptRow));
    return rows.map(fromOutcomeRow);
  };
  const attempts = createLinkBatcher(commitAttempts, { ...options.attempts, ...observed('attempts') });
  const changes = batchChanges(database, observed);
  const downloads = createLinkBatcher(database.recordDownloads, observed('downloads'));
  const resumptions = createLinkBatcher(database.resumeDownloads, observed('resumptions'));
  const creations = new Batcher(database.createLinks, { ...options.creations, ...observed('creations') });
  const uploads = new Batcher(database.beginUploads, observed('uploads'));
  const batchers = [attempts, ...changes.batchers, downloads, resumptions, creations, uploads];
  const operations = {
    ...database, // most operations are those of the threads
    create: (link, change, { isAborted, idempotency } = {}) =>
      creations.add({ link, change, idempotency }, isAborted),
    read: database.readLink,
    find: links.find,
    attempt: attempts.add,
    direct: {
      find: links.findCached,
      attempt: (item, isAborted, receiver) =>
        attempts.push({ item, isAborted, resolve: receiver.resolve, reject: receiver.reject }),
    },
    ...changes.operations,
    recordDownload: (download) => downloads.add(download),
    async resume(request) {
      return canBeStored(request.shortCode) ? resumptions.add(request) : { verdict: 'LEASE_NOT_FOUND' };
    },
    begin: (fileId, at, resumable, space) => uploads.add({ fileId, at, resumable, space }),
    charge: database.chargeUpload,
    lock: database.lockUpload,
    renewLock: database.renewUploadLock,
    unlock: database.unlockUpload,
    abandon: database.abandonUpload,
    claimStale: database.claimStaleUploads,
    withdraw: database.withdrawUploads,
    readOwners: database.readUploadOwners,
    sumOthers: database.sumOtherUploads,
    delete: database.deleteUpload,
    observeBatches(observer) {
      onBatch = observer;
    },
    waitingOperations: () => batchers.reduce((sum, batcher) => sum + batcher.waiting(), 0),
    ...readProjected(database),
    erasures: database,
    evidence: database,
    idempotency: database,
    keys: database,
    people: database,
    teams: database,
    notifications: database,
  } satisfies Partial<Store>;
  return {
    operations,
    async settled(): Promise<void> {
      await Promise.all(batchers.map((batcher) => batcher.settled()));
    },
  };
}

/** Returns the changes of single links. */
function batchChanges(database: StoreOperations, observed: (operation: string) => BatcherOptions) {
  const changes = createLinkBatcher(database.changeLinks, observed('changes'));
  const revocations = createLinkBatcher(database.revokeLinks, observed('revocations'));
  const changeEachCode = (items: CodeChange[]) => Promise.all(items.map((item) => database.changeCode(item)));
  const ofCodes = observed('code_changes');
  const codes = createLinkBatcher(changeEachCode, { maxBatchSize: 1, ...ofCodes }); // each has its own transaction
  type Submitted = SubmittedFiles & { shortCode: string };
  const submitEach = (items: Submitted[]) => Promise.all(items.map((item) => database.submitFiles(item)));
  const submissions = createLinkBatcher(submitEach, { maxBatchSize: 1, ...observed('submissions') }); // as well
  const operations = {
    async change(shortCode, requested, change) {
      if (!canBeStored(shortCode)) return { result: 'not-found' };
      return changes.add({ shortCode, requested, change });
    },
    async revoke(shortCode, change) {
      if (!canBeStored(shortCode)) return decideRevocation(undefined).result;
      return revocations.add({ shortCode, change });
    },
    async changeCode(shortCode, requested, records) {
      if (!canBeStored(shortCode)) return { result: 'not-found' };
      return codes.add({ shortCode, requested, ...records });
    },
    submit: (submitted) => submissions.add({ ...submitted, shortCode: submitted.attempt.shortCode }),
  } satisfies Partial<Store>;
  return { batchers: [changes, revocations, codes, submissions], operations };
}
