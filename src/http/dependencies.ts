import type { Config } from '../core/config/config.ts';
import type { ErasureStore } from '../core/ports/erasures.ts';
import type { NotificationStore } from '../core/ports/notifications.ts';
import type { PersonStore } from '../core/ports/people.ts';
import type {
  Clock,
  LinkStore,
  StartTimer,
  StoreProbe,
  UploadLedger,
  WorkQueue,
} from '../core/ports/ports.ts';
import type { Provider } from '../core/ports/provider.ts';
import type { TargetPolicy } from '../core/rules/target-url.ts';
import type { ChangeCode } from '../core/use-cases/change/change-code.ts';
import type { ChangeLink, RevokeLink } from '../core/use-cases/change/change-link.ts';
import type { ReadFiles } from '../core/use-cases/change/describe-link.ts';
import type { BeginRequest } from '../core/use-cases/create/begin-request.ts';
import type { CreateLink } from '../core/use-cases/create/create-link.ts';
import type { ImportLinks } from '../core/use-cases/create/import-links.ts';
import type { Erase } from '../core/use-cases/erase/erase.ts';
import type { rotateKey } from '../core/use-cases/evidence/sign-checkpoint.ts';
import type { ChargeUpload } from '../core/use-cases/files/charge-upload.ts';
import type { KeepFiles } from '../core/use-cases/files/keep-files.ts';
import type { ReceiveFile } from '../core/use-cases/files/receive-file.ts';
import type { ResumeDownload } from '../core/use-cases/files/resume-download.ts';
import type { ResumeUploads } from '../core/use-cases/files/resume-upload.ts';
import type { UploadSpace } from '../core/use-cases/files/upload-space.ts';
import type { Limits } from '../core/use-cases/limits/limits.ts';
import type { QueuedReads } from '../core/use-cases/limits/queues.ts';
import type { KeyCallers } from '../core/use-cases/people/find-key-caller.ts';
import type { prepareMailInvitation } from '../core/use-cases/people/mail-invitation.ts';
import type { prepareManageKeys } from '../core/use-cases/people/manage-keys.ts';
import type { prepareManagePeople } from '../core/use-cases/people/manage-people.ts';
import type { prepareManageTeams } from '../core/use-cases/people/manage-teams.ts';
import type { FindSessionCaller } from '../core/use-cases/people/session.ts';
import type { SignIn } from '../core/use-cases/people/sign-in.ts';
import type { HashPassword } from '../core/use-cases/visit/check-password.ts';
import type { ResolveLink, ResolveVisit } from '../core/use-cases/visit/resolve-link.ts';
import type { CheckHealth } from '../observability/health.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { AttemptObserver, Observed, RefusalLines, RequestObserver } from '../observability/observe.ts';
import type { ProblemWatch } from '../observability/problems.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Brand } from './brand.ts';
import type { LinkAddresses } from './path.ts';

/** The use cases of administrators: people, teams and keys. */
export type Manage = {
  people: ReturnType<typeof prepareManagePeople>;
  teams: ReturnType<typeof prepareManageTeams>;
  keys: ReturnType<typeof prepareManageKeys>;
};

/** Everything that the HTTP side needs. */
export type HttpDependencies = {
  config: Config;
  useCases: UseCases;
  stores: Pick<LinkStore, 'read' | 'readByFile'> &
    Pick<UploadLedger, 'readSpace'> &
    Pick<StoreProbe, 'recordBackup'> & {
      people: PersonStore;
      notifications: NotificationStore;
      erasures: Pick<ErasureStore, 'findRecipientLinks' | 'countErased'>;
    };
  observe: Observers;
  /** The name, the logo and the colours of all pages. */
  brand: Brand;
  addresses: LinkAddresses;
  /** The directory of the built pages, unless they were not built. */
  pagesDirectory: string | undefined;
  clock: Clock;
  /** A clock that never jumps, for the time that a transfer takes. */
  elapsedMs: () => number;
  startTimer: StartTimer;
};

/** The use cases of clients, with their limits and queues. */
export type UseCases = QueuedReads & {
  createLink: Observed<CreateLink>;
  beginRequest: BeginRequest;
  /** Bounds the requests with many items that are read and handled at once. */
  bulkQueue: WorkQueue;
  limits: Limits;
  resolveLink: ResolveLink;
  resolveVisit: ResolveVisit;
  resumeDownload: ResumeDownload;
  readFiles: ReadFiles;
  changeCode: Observed<ChangeCode>;
  changeLink: Observed<ChangeLink>;
  revokeLink: Observed<RevokeLink>;
  receiveFile: ReceiveFile;
  keepFiles: KeepFiles;
  chargeUpload: ChargeUpload;
  resumeUploads: ResumeUploads;
  uploadSpace: UploadSpace;
  keyCallers: KeyCallers;
  manage: Manage;
  erase: Erase;
  importLinks: ImportLinks;
  /** Gives the log a new key; undefined where it has none that could sign that. */
  rotateLogKey: ((isNewLog: boolean) => ReturnType<typeof rotateKey>) | undefined;
  findSessionCaller: FindSessionCaller;
  signIn: SignIn;
  mailInvitation: ReturnType<typeof prepareMailInvitation>;
  /** Undefined where people do not sign in elsewhere. */
  provider: Provider | undefined;
  hashPassword: HashPassword;
  /** Returns the secret that verifies the webhooks of a link. */
  linkSecret: (shortCode: string) => string | undefined;
  blockedHosts: TargetPolicy['blockedHosts'];
};

/** The records and measurements of requests. */
type Observers = {
  attempts: AttemptObserver;
  refusalLines: RefusalLines;
  observeRequest: RequestObserver;
  /** Undefined where traces are off. */
  tracing: Tracing | undefined;
  checkHealth: CheckHealth;
  metrics: Metrics;
  log: Log;
  noteRefusal: ProblemWatch['noteRefusal'];
  reportJobError: ProblemWatch['reportJobError'];
  /** Called with the address of a proxy whose `X-Forwarded-For` is believed. */
  onForwardedAddress: (proxyAddress: string | null) => void;
  /** Called with the address of an untrusted sender of `X-Forwarded-For`, when a limit refuses its request. */
  onDisbelievedAddress: (proxyAddress: string) => void;
};
