import { randomInt, randomUUID } from 'node:crypto';
import { undefinedOn } from '../adapters/files/storage-directory.ts';
import { createArgon2idHasher, HASHES_AT_ONCE } from '../adapters/password-hasher.ts';
import type { Config } from '../core/config/config.ts';
import { prepareNewIdAndSalt } from '../core/model/attempt.ts';
import { prepareNewChange } from '../core/model/link-change.ts';
import { newLinkToken, prepareRandomBytes } from '../core/model/people/link-token.ts';
import type { FileStore } from '../core/ports/file-store.ts';
import type {
  Clock,
  LinkStore,
  PasswordHasher,
  StartTimer,
  VisitLimits,
  WorkQueue,
} from '../core/ports/ports.ts';
import { prepareChangeCode } from '../core/use-cases/change/change-code.ts';
import { prepareChangeLink, prepareRevokeLink } from '../core/use-cases/change/change-link.ts';
import { prepareReadFiles } from '../core/use-cases/change/describe-link.ts';
import { prepareCreateLink } from '../core/use-cases/create/create-link.ts';
import { prepareImportLinks } from '../core/use-cases/create/import-links.ts';
import { type Erase, erase } from '../core/use-cases/erase/erase.ts';
import { prepareChargeUpload } from '../core/use-cases/files/charge-upload.ts';
import { prepareExamineFile } from '../core/use-cases/files/examine-file.ts';
import { prepareKeepFiles } from '../core/use-cases/files/keep-files.ts';
import { prepareReceiveFile, type ReceiveParts } from '../core/use-cases/files/receive-file.ts';
import { prepareRecordDownloads } from '../core/use-cases/files/record-downloads.ts';
import { prepareResumeDownload } from '../core/use-cases/files/resume-download.ts';
import { prepareResumeUploads } from '../core/use-cases/files/resume-upload.ts';
import { prepareSubmitFiles } from '../core/use-cases/files/submit-files.ts';
import { prepareUploadSpace } from '../core/use-cases/files/upload-space.ts';
import type { CodeLimits } from '../core/use-cases/limits/limit-codes.ts';
import { createLimits, NO_RATES } from '../core/use-cases/limits/limits.ts';
import { createPasswordQueue } from '../core/use-cases/limits/queues.ts';
import { notifiedLinksOf, type Subscriptions, toSubscriptions } from '../core/use-cases/notify/settings.ts';
import type { CodeMailer } from '../core/use-cases/visit/mail-codes.ts';
import { prepareRecordRefusals } from '../core/use-cases/visit/record-refusals.ts';
import { prepareResolveLink, prepareResolveVisit } from '../core/use-cases/visit/resolve-link.ts';
import type { Stores } from './open-stores.ts';
import { startTimer } from './start-timer.ts';

type Bounds = {
  limits: VisitLimits;
  codeLimits: CodeLimits;
  codeMailer: CodeMailer | undefined;
  passwordQueue: WorkQueue;
  /** Absent for a command, which has nothing scanned. */
  scanQueue?: WorkQueue;
  startTimer: StartTimer;
  /** Called when something cannot be recorded that no request waits for. */
  onRecordError: (job: 'record_download' | 'record_refusals', error: unknown) => void;
};

const randomBytes = prepareRandomBytes();
export const newIdAndSalt = prepareNewIdAndSalt({ randomUuid: randomUUID, randomBytes });

/** Bounds only the hashes at once, for a command that is its own client. */
function composeNoBounds(clock: Clock): Bounds {
  const { visits, recipientCodes } = createLimits(NO_RATES, { clock, startTimer });
  return {
    limits: visits,
    codeLimits: recipientCodes,
    codeMailer: undefined,
    passwordQueue: createPasswordQueue(HASHES_AT_ONCE),
    startTimer,
    onRecordError(_, error) {
      throw error;
    },
  };
}

/** Returns what the service does for a client, on its stores. `postern seed` uses it too, without limits. */
export function composeUseCases(
  config: Config,
  stores: Stores & { passwords?: PasswordHasher | undefined },
  clock: Clock,
  bounds: Bounds = composeNoBounds(clock),
) {
  const { store, files, passwords = createArgon2idHasher(), scanner } = stores;
  const { passwordQueue, onRecordError } = bounds;
  const shared = { links: store, uploads: store, files, passwords, passwordQueue, clock, newIdAndSalt };
  const { isRequired: isScanRequired } = config.uploads.scan;
  const examineFile = prepareExamineFile({ files, scanner, scanQueue: bounds.scanQueue, isScanRequired });
  const subscriptions = toSubscriptions(config.webhooks, config.mail);
  const ofAttempts = { ...shared, ...bounds, notifiedLinks: notifiedLinksOf(subscriptions) };
  const ofChanges = {
    ...{ ...shared, examineFile, isScanRequired },
    notifiedLinks: notifiedLinksOf(subscriptions, ['link.changed']),
  };
  const downloads = prepareRecordDownloads({
    ...shared,
    newDownloadId: (at) => newIdAndSalt(at).id,
    onError: (error) => onRecordError('record_download', error),
  });
  const refusals = prepareRecordRefusals({
    ...ofAttempts,
    onError: (error) => onRecordError('record_refusals', error),
  });
  const ofCreations = {
    ...{ ...shared, randomInt, defaultTtl: config.links.defaultTtl, linkPolicy: config.links.policy },
    notifiedLinks: notifiedLinksOf(subscriptions, ['link.created']),
  };
  const ofSubmissions = { examineFile, submitFiles: prepareSubmitFiles(ofCreations) };
  const ofVisits = {
    ...{ ...ofAttempts, ...ofSubmissions, downloads, refusals, randomBytes, randomInt },
    files: withoutUnreadable(files),
    ...{ leaseMs: config.leaseMs, isScanRequired, people: store.people },
  };
  const ofErasures = { ...ofChanges, erasures: store.erasures, newKey: randomUUID };
  return {
    downloads,
    refusals,
    createLink: prepareCreateLink({
      ...{ ...ofCreations, examineFile },
      newToken: () => newLinkToken(randomBytes),
    }),
    resolveLink: prepareResolveLink(ofVisits),
    resolveVisit: prepareResolveVisit(ofVisits),
    resumeDownload: prepareResumeDownload(ofVisits),
    readFiles: prepareReadFiles(shared),
    changeLink: prepareChangeLink(ofChanges),
    changeCode: prepareChangeCode({
      ...{ ...ofCreations, history: store.history },
      notified: notifiedOfCodes(subscriptions),
    }),
    importLinks: prepareImportLinks(shared),
    newChange: prepareNewChange(ofChanges),
    erase: (...[erasable, options]: Parameters<Erase>) => erase(ofErasures, erasable, options),
    revokeLink: prepareRevokeLink({
      ...shared,
      notifiedLinks: notifiedLinksOf(subscriptions, ['link.revoked']),
    }),
    ...composeUploads(config, shared, bounds),
  };
}

/** Returns how files arrive. */
function composeUploads(
  { storage, uploads: { chunkBytes: commitEachBytes, quota } }: Config,
  stores: Omit<ReceiveParts, 'uploadSpace' | 'quota' | 'newFileId'> & { links: Pick<LinkStore, 'readParts'> },
  { startTimer }: Bounds,
) {
  const elapsedMs = () => performance.now();
  const minFreeBytes = storage.kind === 'directory' ? storage.minFreeBytes : 0;
  const uploadSpace = prepareUploadSpace({ files: stores.files, minFreeBytes, nowMs: elapsedMs });
  const parts = { ...stores, uploadSpace, quota, newFileId: randomUUID };
  return {
    uploadSpace,
    receiveFile: prepareReceiveFile(parts),
    keepFiles: prepareKeepFiles(parts),
    chargeUpload: prepareChargeUpload(parts),
    resumeUploads: prepareResumeUploads({
      ...parts,
      ...{ elapsedMs, startTimer, newToken: randomUUID, commitEachBytes },
    }),
  };
}

/** Returns a store for visits. They get 404 for a file that the service may not read, as their records say. */
const withoutUnreadable = (files: FileStore): FileStore => ({
  ...files,
  open: (...args) => undefinedOn(['EACCES', 'EPERM'], files.open(...args)),
});

/** Returns whose creations and revocations are events when a short code is changed. */
function notifiedOfCodes(subscriptions: Subscriptions) {
  return {
    creations: notifiedLinksOf(subscriptions, ['link.created']),
    revocations: notifiedLinksOf(subscriptions, ['link.revoked']),
  };
}
