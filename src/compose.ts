import { findAccessWarnings } from './access/api-key.ts';
import { prepareKeyCallers } from './access/find-key-caller.ts';
import { buildApp } from './app.ts';
import { composeUseCases } from './compose-use-cases.ts';
import { type BlockedHostsFile, openBlockedHostsFile } from './config/blocked-hosts-file.ts';
import { type Config, describeDatabase } from './config/config.ts';
import { describeAssumedProxy, describeMissingProxy } from './config/start-warnings.ts';
import { createBrand } from './http/brand/brand.ts';
import { findBuiltPages } from './http/built-pages.ts';
import { createBackground } from './jobs/background.ts';
import {
  blockedHostsJob,
  discardNotificationsJob,
  expirationJob,
  idempotencyJob,
  JOB_INTERVAL_MS,
  limitSweepJob,
  notificationCountJob,
  problemJob,
  uploadSweepJob,
} from './jobs/jobs.ts';
import { createScheduler, type ReportJobError } from './jobs/scheduler.ts';
import { type StartTimer, startTimer as startRealTimer } from './limits/guess-delay.ts';
import { prepareHistoryReads, queueList } from './limits/history-queues.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import { queueStatistics } from './limits/queue-statistics.ts';
import { createQueues, EXPORT_BOUNDS } from './limits/queues.ts';
import { prepareBeginRequest } from './links/begin-request.ts';
import type { NotifiedLinks } from './links/link.ts';
import type { Clock, PasswordHasher } from './links/ports.ts';
import type { Problem } from './links/problem.ts';
import { prepareUploadSpace } from './links/upload-space.ts';
import {
  composeNotifications,
  mailPolicyOf,
  notifyPolicyOf,
  prepareLinkSecret,
} from './notifications/compose-notifications.ts';
import { NOT_CONFIGURED } from './notifications/dispatcher.ts';
import { COLLECTION_INTERVAL_MS } from './notifications/plan-notifications.ts';
import { notifiedLinksOf, sendsAnything, toSubscriptions } from './notifications/settings.ts';
import { prepareCheckHealth } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import {
  observeChangeLink,
  observeCreateLink,
  observeNotifications,
  observeRevokeLink,
} from './observability/observe.ts';
import { createAttemptObserver } from './observability/observe-attempts.ts';
import { type FindProblems, prepareProblemWatch, withTimeout } from './observability/problems.ts';
import { findSecret, findStorageWarnings, openStores, type Stores, withErrorPrefix } from './open-stores.ts';
import { HASHES_AT_ONCE } from './passwords/argon2id.ts';
import type { OnThreadDeath } from './threads/start-thread.ts';
import { VERSION } from './version.ts';

// Only this file, src/compose-use-cases.ts, src/open-stores.ts and the commands name concrete adapters. Parts are passed
// on as arguments.

/** Opens the list of blocked hosts, if the configuration names one. */
async function openBlockedHosts({ blockedHostsPath: path }: Config) {
  return path === null
    ? undefined
    : withErrorPrefix(`app.links.blocked-hosts ${path}`, openBlockedHostsFile(path));
}

/** The service, composed and not yet listening. */
export type Service = Awaited<ReturnType<typeof composeService>>;

type ServiceOptions = {
  clock?: Clock;
  onThreadDeath?: OnThreadDeath;
  buildsDirectory?: string;
  /** Starts the timers of delayed guesses and of live updates. */
  startTimer?: StartTimer;
  /** Used instead of the stores that the configuration names; they are closed with the service. */
  stores?: Stores;
  /** Used instead of Argon2id at its full cost. */
  passwords?: PasswordHasher;
};

/** Composes the whole service by hand. */
export async function composeService(config: Config, log: Log, options: ServiceOptions = {}) {
  const { clock = Date.now, startTimer = startRealTimer, onThreadDeath, buildsDirectory } = options;
  const blockedHosts = await openBlockedHosts(config); // before the stores, which an error would leave open
  const onCheckError = (err: unknown): void =>
    log.write('error', 'job_failed', { job: 'check_database', err });
  let isDatabaseNew = false;
  const onDatabaseCreated = (): void => {
    isDatabaseNew = true;
    log.write('info', 'database_created', { database: describeDatabase(config.database) });
  };
  const events = { ...(onThreadDeath && { onThreadDeath }), onCheckError, onDatabaseCreated };
  const stores = options.stores ?? (await openStores(config, events));
  const observers = { log, metrics: createMetrics() };
  observers.metrics.watchLog(log);
  const attempts = createAttemptObserver(log, observers.metrics, startTimer);
  const elapsedMs = options.clock ?? (() => performance.now());
  const problemWatch = prepareProblemWatch({ ...stores, ...observers, clock, elapsedMs, startTimer });
  const { findProblems, reportJobError } = problemWatch;
  const limits = createLimits(config.rates, {
    clock,
    shared: stores.store.sharedCounts,
    startTimer,
    onDelay: () => observers.metrics.delayedGuesses.inc(),
    onSharedError: (error) => reportJobError('count_shared_limits', error),
  });
  const queues = createQueues(HASHES_AT_ONCE, (name, waiting) => observers.metrics.watchQueue(name, waiting));
  const useCases = composeUseCases(config, { ...stores, passwords: options.passwords }, clock, {
    limits: limits.visits,
    passwordQueue: queues.passwords,
    startTimer,
    onRecordError: reportJobError,
  });
  const subscriptions = toSubscriptions(config.webhooks, config.mail);
  const sendsNotifications = sendsAnything(subscriptions);
  const notifiedOfExpiry = notifiedLinksOf(subscriptions, ['link.expired']);
  const jobs = composeJobs(
    { ...stores, ...problemWatch, limits, notifiedLinks: notifiedOfExpiry, sendsNotifications },
    clock,
    observers,
    blockedHosts,
  );
  const dispatcher = composeNotifications({
    ...{
      settings: config.webhooks,
      mail: config.mail,
      brandName: config.brand.name,
      subscriptions,
      baseUrl: config.baseUrl,
      store: stores.store,
      clock,
    },
    userAgent: `Postern/${VERSION}`,
    observer: observeNotifications(observers, (error) => reportJobError('notifications', error)),
  });
  const dispatching = createScheduler(
    dispatcher ? [{ name: 'notifications', run: dispatcher.tick }] : [],
    COLLECTION_INTERVAL_MS,
    reportJobError,
  );
  let isStopping = false;
  const pagesDirectory = findBuiltPages(buildsDirectory);
  const uploadSpace = prepareUploadSpace({
    files: stores.files,
    minFreeBytes: config.storage.kind === 'directory' ? config.storage.minFreeBytes : 0,
    nowMs: () => performance.now(),
  });
  const { keys } = stores.store;
  const http = await buildApp({
    ...config,
    ...observers,
    ...useCases,
    brand: createBrand(config.brand),
    clock,
    startTimer,
    uploadSpace,
    elapsedMs,
    ...problemWatch,
    checkHealth: prepareCheckHealth({
      ...stores,
      findProblems,
      uploadSpace,
      lastExpirationRun: jobs.lastExpirationRun,
      isStopping: () => isStopping,
      clock,
    }),
    beginRequest: prepareBeginRequest(stores.store.idempotency, config.secret ?? findSecret(config)),
    bulkQueue: queues.bulk,
    createLink: observeCreateLink(useCases.createLink, observers),
    attempts,
    changeLink: observeChangeLink(useCases.changeLink, observers),
    revokeLink: observeRevokeLink(useCases.revokeLink, observers),
    readLink: stores.store.read,
    keyCallers: prepareKeyCallers({
      keys,
      initialKey: config.access.initialKey,
      clock,
      onRecordError: (error) => reportJobError('record_key_use', error),
    }),
    statistics: (requester) => queueStatistics(stores.store.statistics, queues.statistics, requester),
    readList: queueList(stores.store.list, queues.history.pages),
    history: prepareHistoryReads(stores.store.history, queues.history, EXPORT_BOUNDS),
    notifications: stores.store.notifications,
    sendsNotifications,
    notifyPolicy: (isAuthorized) => notifyPolicyOf(config.webhooks, isAuthorized),
    mailPolicy: (isAuthorized) => mailPolicyOf(config.mail, isAuthorized),
    linkSecret: prepareLinkSecret(config.webhooks),
    limits,
    blockedHosts: blockedHosts?.current ?? (() => new Set()),
    pagesDirectory,
    onForwardedAddress: prepareProxyWarning(log, config.trustsPrivateRanges, describeAssumedProxy),
    onDisbelievedAddress: prepareProxyWarning(log, true, describeMissingProxy),
  });

  return {
    ...http,
    /** Whether the database did not exist and was created. */
    isDatabaseNew,
    /** Whether there are built pages to serve. */
    hasPages: pagesDirectory !== undefined,
    /** Finds what the administrator should know about keys and the storage directory. */
    findWarnings: async () => [
      ...(await findAccessWarnings(config.access, keys, clock())),
      ...(await findStorageWarnings(config)),
    ],
    /** Runs the jobs now, then by the clock; resolves when the first runs are over. */
    async startJobs(): Promise<void> {
      await Promise.all([jobs.scheduler.start(), dispatcher && dispatching.start()]);
      if (!isStopping) jobs.background.start();
    },
    /** Sends notifications; undefined if the service sends none. */
    dispatcher,
    /** Resolves as soon as the first job has run, from when on the service is healthy. */
    jobsAreRunning: jobs.areRunning,
    /** Completes open requests and accepts no more, commits waiting changes, and closes the stores. */
    async stop(): Promise<void> {
      isStopping = true;
      problemWatch.stop();
      const problems = withTimeout(stores.store.findProblems()).catch((): Problem[] => []);
      await Promise.all([
        http.close(),
        jobs.scheduler.stop(),
        jobs.background.stop(),
        dispatching.stop(),
        dispatcher?.stop(),
      ]);
      await Promise.all([useCases.downloads.settled(), useCases.refusals.close()]);
      attempts.close();
      if ((await problems).includes('database_file_missing'))
        log.write('warn', 'service_warning', { warning: STOPPED_WITHOUT_FILE });
      await stores.store.close();
    },
  };
}

const STOPPED_WITHOUT_FILE =
  'the database file or its -wal was moved, deleted or replaced while the service ran: keep its -wal, which has the ' +
  'last commits, and put the missing file back before the next start';

/** Returns a function that warns of the first proxy it is called with. */
function prepareProxyWarning(log: Log, isNeeded: boolean, describe: (proxyAddress: string) => string) {
  let warns = isNeeded;
  return (proxyAddress: string | null): void => {
    if (!warns || proxyAddress === null) return;
    warns = false;
    log.write('warn', 'service_warning', { warning: describe(proxyAddress) });
  };
}

function composeJobs(
  parts: Stores & {
    limits: Limits;
    findProblems: FindProblems;
    reportJobError: ReportJobError;
    notifiedLinks: NotifiedLinks;
    sendsNotifications: boolean;
  },
  clock: Clock,
  { log, metrics }: { log: Log; metrics: Metrics },
  blockedHosts?: BlockedHostsFile,
) {
  const { store, files, limits, findProblems, reportJobError, notifiedLinks, sendsNotifications } = parts;
  const background = createBackground({ store, clock, reportJobError });
  let lastExpirationRun: number | null = null;
  const { promise: areRunning, resolve: hasRun } = Promise.withResolvers<void>();
  const scheduler = createScheduler(
    [
      expirationJob({ links: store, clock, log, notifiedLinks }, (at) => {
        lastExpirationRun = at;
        hasRun();
      }),
      uploadSweepJob({ files, uploads: store, clock, log }),
      limitSweepJob(limits),
      idempotencyJob(store.idempotency, clock),
      problemJob(findProblems),
      ...(sendsNotifications ? [] : [discardNotificationsJob(store.notifications, clock, NOT_CONFIGURED)]),
      notificationCountJob(store.notifications, clock, metrics),
      ...(blockedHosts ? [blockedHostsJob(blockedHosts.refresh, log)] : []),
    ],
    JOB_INTERVAL_MS,
    reportJobError,
  );
  return { scheduler, background, areRunning, lastExpirationRun: () => lastExpirationRun };
}
