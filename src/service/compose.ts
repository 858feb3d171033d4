import { randomUUID } from 'node:crypto';
import { prepareProvider } from '../adapters/openid-connect.ts';
import { describeDatabase } from '../common/locations.ts';
import { VERSION } from '../common/version.ts';
import { type Config, trustsPrivateRanges } from '../core/config/config.ts';
import type { Problem } from '../core/model/problem.ts';
import { prepareBeginRequest } from '../core/use-cases/create/begin-request.ts';
import { NOT_CONFIGURED } from '../core/use-cases/notify/dispatcher.ts';
import { COLLECTION_INTERVAL_MS } from '../core/use-cases/notify/plan-notifications.ts';
import { notifiedLinksOf } from '../core/use-cases/notify/settings.ts';
import { findAccessWarnings } from '../core/use-cases/people/find-access-warnings.ts';
import { prepareKeyCallers } from '../core/use-cases/people/find-key-caller.ts';
import { inviteAdministrator } from '../core/use-cases/people/invite-administrator.ts';
import { prepareMailInvitation } from '../core/use-cases/people/mail-invitation.ts';
import { prepareManageKeys } from '../core/use-cases/people/manage-keys.ts';
import { prepareManagePeople } from '../core/use-cases/people/manage-people.ts';
import { prepareManageTeams } from '../core/use-cases/people/manage-teams.ts';
import { prepareFindSessionCaller } from '../core/use-cases/people/session.ts';
import { prepareSignIn } from '../core/use-cases/people/sign-in.ts';
import { prepareHashPassword } from '../core/use-cases/visit/check-password.ts';
import { buildApp, type HttpParts } from '../http/app.ts';
import { findBuiltPages } from '../http/built-pages.ts';
import { RETURN_PATH } from '../http/routes/provider-sign-in.ts';
import { prepareCheckHealth } from '../observability/health.ts';
import type { Log } from '../observability/log.ts';
import { createRequestObserver, observeUseCases } from '../observability/observe.ts';
import { observeNotifications } from '../observability/observe-notifications.ts';
import { PROBE_TIMEOUT_MS, withTimeout } from '../observability/problems.ts';
import type { OnThreadDeath } from '../stores/start-thread.ts';
import { type Core, type CoreOptions, composeCore } from './compose-core.ts';
import { findKeyWarnings } from './compose-evidence.ts';
import { composeInvitations, composeNotifications, prepareLinkSecret } from './compose-notifications.ts';
import { newIdAndSalt } from './compose-use-cases.ts';
import { type BlockedHostsFile, openBlockedHostsFile } from './config/blocked-hosts-file.ts';
import { prepareProxyWarnings } from './config/start-warnings.ts';
import {
  blockedHostsJob,
  CLOCK_INTERVAL_MS,
  checkpointJob,
  createScheduler,
  discardNotificationsJob,
  expirationJob,
  idempotencyJob,
  JOB_INTERVAL_MS,
  type Job,
  leaseJob,
  limitSweepJob,
  type MinuteJob,
  notificationCountJob,
  problemJob,
  recipientCodeJob,
  retentionJobs,
  timeJob,
  uploadSweepJob,
} from './jobs/jobs.ts';
import { listenLocally } from './local-socket.ts';
import {
  assertLogKeyPlace,
  findSecret,
  findStorageWarnings,
  openStores,
  type Stores,
  withErrorPrefix,
} from './open-stores.ts';

// Only files of this folder and of src/tools name concrete adapters. Parts are passed on as arguments.

/** Opens the list of blocked hosts, if the configuration names one. */
async function openBlockedHosts({ links: { blockedHostsPath: path } }: Config) {
  return path === null
    ? undefined
    : withErrorPrefix(`app.links.blocked-hosts ${path}`, openBlockedHostsFile(path));
}

/** The service, composed and not yet listening. */
export type Service = Awaited<ReturnType<typeof composeService>>;

type ServiceOptions = CoreOptions & {
  onThreadDeath?: OnThreadDeath;
  buildsDirectory?: string;
  /** Used instead of the stores that the configuration names; they are closed with the service. */
  stores?: Stores;
};

/** Composes the whole service by hand. */
export async function composeService(config: Config, log: Log, options: ServiceOptions = {}) {
  // Before the stores, which an error would leave open.
  const blockedHosts = await openBlockedHosts(config);
  await assertLogKeyPlace(config);
  let isDatabaseNew = false;
  const stores =
    options.stores ??
    (await openStores(config, {
      ...(options.onThreadDeath && { onThreadDeath: options.onThreadDeath }),
      onDatabaseCreated() {
        isDatabaseNew = true;
        log.write('info', 'database_created', { database: describeDatabase(config.database) });
      },
    }));
  const core = composeCore(config, log, stores, options);
  const jobs = composeJobs(config, core, blockedHosts);
  const pagesDirectory = findBuiltPages(options.buildsDirectory);
  const state = { blockedHosts, pagesDirectory, lastExpirationRun: jobs.lastExpirationRun };
  const http = await buildApp(composeHttp(config, core, state));

  return {
    ...http,
    /** True if the database did not exist and was created. */
    isDatabaseNew,
    /** True if there are built pages to serve. */
    hasPages: pagesDirectory !== undefined,
    /** Finds what the administrator should know about keys, the storage directory and the log. */
    findWarnings: async () => [
      ...(await findAccessWarnings(config.access, stores.store, core.clock())),
      ...(await findStorageWarnings(config)),
      ...(await findKeyWarnings(config, stores.store.evidence)),
    ],
    /** Returns the address at which the first administrator sets a password; null where a person can sign in. */
    inviteAdministrator: () =>
      inviteAdministrator(config.access, stores.store, { baseUrl: config.baseUrl, now: core.clock() }),
    /** Listens to commands on this machine. Returns the warning where they cannot reach it. */
    listenLocally: () => listenLocally(http.localServer, config),
    /** Runs the jobs now, then by the clock; resolves when the first runs of short jobs are over. */
    startJobs: jobs.start,
    /** Reads the list of blocked hosts again, if it changed. */
    refreshBlockedHosts: jobs.refreshBlockedHosts,
    /** Signs a checkpoint, as the job does every minute; undefined where the service has no key. */
    signCheckpoint: core.evidence?.sign,
    /** Sends notifications; undefined if the service sends none. */
    dispatcher: jobs.dispatcher,
    /** Resolves when no code for a recipient waits for the mail server. */
    codesSettled: async () => core.codeMailer?.settled(),
    /** Resolves as soon as the first job has run, from when on the service is healthy. */
    jobsAreRunning: jobs.areRunning,
    /** Completes open requests and accepts no more, commits waiting changes, and closes the stores. */
    stop: () => stop(core, () => Promise.all([http.close(), jobs.stop()])),
  };
}

/** Returns what the requests need. */
function composeHttp(
  config: Config,
  core: Core,
  state: {
    blockedHosts: BlockedHostsFile | undefined;
    pagesDirectory: string | undefined;
    lastExpirationRun: () => number | null;
  },
): HttpParts {
  const { store, log, observers, clock, queues, useCases, reportJobError } = core;
  return {
    config,
    useCases: {
      ...{
        ...useCases,
        ...observeUseCases(useCases, observers),
        ...queues.reads,
        ...composeSignIn(config, core),
      },
      ...{ limits: core.limits, bulkQueue: queues.bulk },
      beginRequest: prepareBeginRequest(store.idempotency, config.secret ?? findSecret(config)),
      keyCallers: prepareKeyCallers({
        keys: store.keys,
        initialKey: config.access.initialKey,
        ...{ clock, startTimer: core.startTimer },
        onRecordError: (error) => reportJobError('record_key_use', error),
      }),
      ...{ rotateLogKey: core.evidence?.rotate, linkSecret: prepareLinkSecret(config.webhooks) },
      blockedHosts: state.blockedHosts?.current ?? (() => new Set()),
    },
    stores: store,
    observe: {
      ...core,
      observeRequest: createRequestObserver(core),
      checkHealth: prepareCheckHealth({ ...core, ...state, uploadSpace: useCases.uploadSpace }),
      ...prepareProxyWarnings(log, trustsPrivateRanges(config)),
    },
    pagesDirectory: state.pagesDirectory,
    ...{ clock, elapsedMs: core.elapsedMs, startTimer: core.startTimer },
  };
}

/** Returns how people sign in, are recognised, and are managed with their teams and keys. */
function composeSignIn(config: Config, core: Core) {
  const { baseUrl, signIn } = config;
  const { provider, checkMs: providerCheckMs, isEmergencyOnly } = signIn;
  const { clock, limits, reportJobError, passwords, queues } = core;
  const { people, teams, keys } = core.store;
  const managed = { people, teams, keys, baseUrl, clock, newChange: core.useCases.newChange };
  const ofPasswords = { passwords, passwordQueue: queues.passwords };
  return {
    manage: {
      people: prepareManagePeople(managed),
      teams: prepareManageTeams(managed),
      keys: prepareManageKeys(managed),
    },
    mailInvitation: prepareMailInvitation({
      people,
      baseUrl,
      clock,
      send: composeInvitations(config, clock),
    }),
    provider: provider ? prepareProvider(provider, baseUrl + RETURN_PATH) : undefined,
    hashPassword: prepareHashPassword(ofPasswords),
    signIn: prepareSignIn({ people, ...ofPasswords, limits: limits.signIns, isEmergencyOnly }),
    findSessionCaller: prepareFindSessionCaller({ people, clock, providerCheckMs }, reportJobError),
  };
}

const TRACES_INTERVAL_MS = 1_000;

function composeJobs(config: Config, core: Core, blockedHosts?: BlockedHostsFile) {
  const { store, files, observers, clock, log, metrics, subscriptions, reportJobError } = core;
  const { tracing, operations } = core;
  let lastExpirationRun: number | null = null;
  const { promise: areRunning, resolve: hasRun } = Promise.withResolvers<void>();
  const notifiedLinks = notifiedLinksOf(subscriptions, ['link.expired']);
  const dispatcher = composeNotifications({
    ...{ settings: config.webhooks, mail: config.mail, brandName: config.brand.name },
    ...{ subscriptions, baseUrl: config.baseUrl, store, clock, userAgent: `Postern/${VERSION}` },
    traceparent: tracing?.traceparent,
    observer: observeNotifications(observers, operations, (error) => reportJobError('notifications', error)),
  });
  const blockedHostsJobs = blockedHosts ? [blockedHostsJob(blockedHosts.refresh, log)] : [];
  const byMinute: MinuteJob[] = [
    expirationJob({ links: store, clock, log, notifiedLinks }, (at) => {
      lastExpirationRun = at;
      hasRun();
    }),
    uploadSweepJob({ files, uploads: store, links: store, clock, log }),
    limitSweepJob(core.limits),
    ...[idempotencyJob(store.idempotency, clock), leaseJob(store, clock), recipientCodeJob(store, clock)],
    problemJob(core.findProblems),
    ...(dispatcher ? [] : [discardNotificationsJob(store.notifications, clock, NOT_CONFIGURED)]),
    notificationCountJob(store.notifications, clock, metrics),
    ...blockedHostsJobs,
  ];
  const schedule = (jobs: readonly Job[], intervalMs: number) =>
    createScheduler(jobs, intervalMs, reportJobError, metrics.reportJob);
  const minutely = schedule(byMinute, JOB_INTERVAL_MS);
  const notifying =
    dispatcher &&
    createScheduler(
      [{ name: 'notifications', run: dispatcher.tick }],
      COLLECTION_INTERVAL_MS,
      reportJobError,
    );
  const sendingTraces =
    tracing && createScheduler([{ name: 'traces', run: tracing.flush }], TRACES_INTERVAL_MS, reportJobError);
  // By itself, because no other job may delay it.
  const correcting = schedule([timeJob(store, clock)], CLOCK_INTERVAL_MS);
  // By themselves, because their first runs read the whole log.
  const { erasures, history } = store;
  const parts = {
    ...{ links: store, erasures, history, clock, log, newIdAndSalt, newKey: randomUUID },
    notifiedLinks: notifiedLinksOf(subscriptions, ['link.changed']),
  };
  const retaining = schedule(retentionJobs(parts, config.retention), JOB_INTERVAL_MS);
  const signing = core.evidence && schedule([checkpointJob(core.evidence.sign)], JOB_INTERVAL_MS);
  let isStopped = false;
  return {
    areRunning,
    dispatcher,
    refreshBlockedHosts: async () => {
      for (const job of blockedHostsJobs) await job.run(new AbortController().signal);
    },
    lastExpirationRun: () => lastExpirationRun,
    async start(): Promise<void> {
      await Promise.all([minutely.start(), notifying?.start()]);
      if (isStopped) return;
      void correcting.start();
      void retaining.start();
      void signing?.start();
      void sendingTraces?.start();
    },
    async stop(): Promise<void> {
      isStopped = true;
      const running = [minutely, notifying, correcting, retaining, signing, sendingTraces, dispatcher];
      await Promise.all(running.map((each) => each?.stop()));
      await tracing?.flush().catch((error: unknown) => reportJobError('traces', error));
    },
  };
}

/**
 * The time from the beginning of a stop to the end of each step at the latest. The first is after the time at which
 * src/tools/commands/serve.ts cuts clients off, the last before that at which it gives up.
 */
const STOP_DEADLINES_MS = { requests: 8_000, records: 8_600, checkpoint: 8_900, stores: 9_300 };

/** Stops the service. A step that takes too long, such as on a database that is frozen, is reported and abandoned. */
async function stop(
  { store, log, elapsedMs, startTimer, useCases, refusalLines, codeMailer, evidence, stopWatching }: Core,
  closeRequests: () => Promise<unknown>,
): Promise<void> {
  const startedAt = elapsedMs();
  async function finish(step: keyof typeof STOP_DEADLINES_MS, work: Promise<unknown>): Promise<void> {
    const leftMs = startedAt + STOP_DEADLINES_MS[step] - elapsedMs();
    await withTimeout(work, leftMs, startTimer).catch((err: unknown) =>
      log.write('error', 'job_failed', { job: `stop_${step}`, err }),
    );
  }

  stopWatching();
  const problems = withTimeout(store.findProblems(), PROBE_TIMEOUT_MS, startTimer).catch((): Problem[] => []);
  await finish('requests', closeRequests());
  const { downloads, refusals } = useCases;
  await finish('records', Promise.all([downloads.settled(), refusals.close(), codeMailer?.stop()]));
  refusalLines.close();
  await finish('checkpoint', evidence?.signLast() ?? Promise.resolve());
  if ((await problems).includes('database_file_missing'))
    log.write('warn', 'service_warning', { warning: STOPPED_WITHOUT_FILE });
  await finish('stores', store.close());
}

const STOPPED_WITHOUT_FILE =
  'the database file or its -wal was moved, deleted or replaced while the service ran: keep its -wal, which has the ' +
  'last commits, and put the missing file back before the next start';
