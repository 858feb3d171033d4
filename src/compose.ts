import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { findAccessWarnings } from './access/find-access-warnings.ts';
import { prepareKeyCallers } from './access/find-key-caller.ts';
import { newLinkToken, prepareRandomBytes } from './access/link-token.ts';
import type { OpenedKeys } from './access/ports.ts';
import { buildApp } from './app.ts';
import { type BlockedHostsFile, openBlockedHostsFile } from './config/blocked-hosts-file.ts';
import { type Config, describeDatabase, describeStorage } from './config/config.ts';
import { describeAssumedProxy } from './config/start-warnings.ts';
import { messageOf } from './error-details.ts';
import { createFilesystemStore, prepareStorageDirectory } from './files/filesystem.ts';
import { findBuiltPages } from './http/built-pages.ts';
import {
  blockedHostsJob,
  expirationJob,
  JOB_INTERVAL_MS,
  limitSweepJob,
  uploadSweepJob,
} from './jobs/jobs.ts';
import { createScheduler } from './jobs/scheduler.ts';
import type { StartTimer } from './limits/guess-delay.ts';
import { createLimits, type Limits, NO_RATES } from './limits/limits.ts';
import { queueStatistics } from './limits/queue-statistics.ts';
import { createFairQueue } from './limits/work-queue.ts';
import { prepareCreateLink } from './links/create-link.ts';
import { prepareDescribeLink } from './links/describe-link.ts';
import type { EpochMs } from './links/link.ts';
import type { Clock, FileStore, VisitLimits, WorkQueue } from './links/ports.ts';
import { prepareDiscardFile, prepareReceiveFile } from './links/receive-file.ts';
import { prepareResolveLink } from './links/resolve-link.ts';
import { prepareRevokeLink } from './links/revoke-link.ts';
import { prepareUploadSpace } from './links/upload-space.ts';
import { uuidV7 } from './links/uuid-v7.ts';
import type { S3Location } from './locations.ts';
import { prepareCheckHealth } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { observeCreateLink, observeResolveLink, observeRevokeLink } from './observability/observe.ts';
import { createArgon2idHasher, HASHES_AT_ONCE } from './passwords/argon2id.ts';
import { assertNoUnfinishedMove } from './stores/move-mark.ts';
import { openPostgresKeys } from './stores/postgres/open-keys.ts';
import { openPostgresStore } from './stores/postgres/open-store.ts';
import { readPostgresStore } from './stores/postgres/read-store.ts';
import { readKnownFiles } from './stores/sql/linked-files.ts';
import type { Dialect, Query } from './stores/sql/query.ts';
import { recountStore } from './stores/sql/recount.ts';
import { openSqliteKeys } from './stores/sqlite/open-keys.ts';
import { openSqliteStore } from './stores/sqlite/open-store.ts';
import { readSqliteStore } from './stores/sqlite/read-store.ts';
import type { Store } from './stores/store.ts';
import type { OnThreadDeath } from './threads/start-thread.ts';

// The only place that names concrete adapters. Each part is created once and passed on as an argument.

/** Everything that outlives the service. */
export type Stores = { store: Store; files: FileStore };

/** At one hash in 12 ms on 2 cores, a full queue is 12 s of work, and one client's share 3 s. */
const PASSWORD_QUEUE = {
  name: 'passwords',
  concurrency: HASHES_AT_ONCE,
  maxWaiting: 1_000,
  maxWaitingPerClient: 250,
} as const;
/** One statistic of each kind at a time: SQLite has one thread for them, PostgreSQL two connections. */
const STATISTICS_QUEUE = {
  name: 'statistics',
  concurrency: 1,
  maxWaiting: 100,
  maxWaitingPerClient: 30,
} as const;

type Bounds = { limits: VisitLimits; passwordQueue: WorkQueue };

/** Bounds nothing but the hashes at once, for a command that is its own client. */
function composeNoBounds(clock: Clock): Bounds {
  return {
    limits: createLimits(NO_RATES, { clock }).visits,
    passwordQueue: createFairQueue(PASSWORD_QUEUE),
  };
}

/** Returns what the service does for a client, on its stores. The commands use it too, without limits. */
export function composeUseCases(
  config: Config,
  { store, files }: Stores,
  clock: Clock,
  bounds: Bounds = composeNoBounds(clock),
) {
  const passwords = createArgon2idHasher();
  const newId = (at: EpochMs) => uuidV7(at, randomUUID());
  const randomBytes = prepareRandomBytes();
  return {
    createLink: prepareCreateLink({
      links: store,
      passwords,
      passwordQueue: bounds.passwordQueue,
      clock,
      randomInt,
      newToken: () => newLinkToken(randomBytes),
      newChangeId: newId,
      defaultTtl: config.defaultTtl,
      linkPolicy: config.linkPolicy,
    }),
    resolveLink: prepareResolveLink({
      links: store,
      files,
      passwords,
      ...bounds,
      clock,
      newAttemptId: newId,
    }),
    describeLink: prepareDescribeLink({ links: store, clock }),
    revokeLink: prepareRevokeLink({ links: store, clock, newChangeId: newId }),
    receiveFile: prepareReceiveFile({ files, uploads: store, clock, newFileId: randomUUID }),
    discardFile: prepareDiscardFile({ files, uploads: store }),
  };
}

/** Opens the stores of a configuration. Creates what does not exist yet, except a bucket. */
export async function openStores(config: Config, onThreadDeath?: OnThreadDeath): Promise<Stores> {
  const { database } = config;
  const files = await openFileStore(config);
  const options = onThreadDeath && { onThreadDeath };
  const opening =
    database.kind === 'sqlite'
      ? openSqliteStore({ path: database.path, ...options })
      : openPostgresStore({ ...database, ...options });
  return { files, store: await withErrorPrefix(describeDatabaseSetting(config), opening) };
}

/** Opens the files of a configuration. Creates a directory, but no bucket; proves that either is writable. */
export async function openFileStore({ storage }: Config): Promise<FileStore> {
  if (storage.kind === 'directory') {
    await withErrorPrefix(`app.storage.path ${storage.path}`, prepareStorageDirectory(storage.path));
    return createFilesystemStore({ directory: storage.path });
  }
  const files = await createBucketStore(storage);
  await withErrorPrefix(`app.storage.url ${describeStorage(storage)}`, files.proveUsable());
  return files;
}

/** Loads the AWS SDK only where it is used: it takes 0.4 s and 10 MB. */
async function createBucketStore(location: S3Location) {
  const { createS3Store } = await import('./files/s3.ts');
  return createS3Store(location);
}

/** Opens the API keys of a configuration alone, also while a service runs. `isCreated`: creates a missing store. */
export function openKeyStore(config: Config, { isCreated }: { isCreated: boolean }): Promise<OpenedKeys> {
  const { database } = config;
  return withErrorPrefix(
    describeDatabaseSetting(config),
    database.kind === 'sqlite'
      ? openSqliteKeys({ path: database.path, isCreated })
      : openPostgresKeys({ ...database, isCreated }),
  );
}

/** Returns the files of a configuration and writes nothing. Throws where there is no directory. */
export async function composeFiles({ storage }: Config): Promise<FileStore> {
  if (storage.kind === 's3') return createBucketStore(storage);
  if (!existsSync(storage.path))
    throw new Error(`app.storage.path ${storage.path}: there is no such directory`);
  return createFilesystemStore({ directory: storage.path });
}

/** Returns the checks of a store that may be in use: they only read. */
export function composeVerification(config: Config) {
  const { database } = config;
  const readStore = <T>(read: (query: Query, dialect: Dialect) => Promise<T>): Promise<T> =>
    withErrorPrefix(
      describeDatabaseSetting(config),
      database.kind === 'sqlite' ? readSqliteStore(database.path, read) : readPostgresStore(database, read),
    );
  return {
    assertNoUnfinishedMove: () => readStore(assertNoUnfinishedMove),
    recount: () => readStore(recountStore),
    knownFiles: () => readStore(readKnownFiles),
  };
}

function describeDatabaseSetting({ database }: Config): string {
  return `app.database.url ${describeDatabase(database)}`;
}

/** Opens the list of blocked hosts, if the configuration names one. */
async function openBlockedHosts({ blockedHostsPath: path }: Config) {
  return path === null
    ? undefined
    : withErrorPrefix(`app.links.blocked-hosts ${path}`, openBlockedHostsFile(path));
}

/** Puts the name of a setting before the message of an error, so that the reader knows what to change. */
export async function withErrorPrefix<T>(prefix: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (cause) {
    throw new Error(`${prefix}: ${messageOf(cause)}`, { cause });
  }
}

/** The service, composed and not yet listening. */
export type Service = Awaited<ReturnType<typeof composeService>>;

type ServiceOptions = {
  clock?: Clock;
  onThreadDeath?: OnThreadDeath;
  buildsDirectory?: string;
  /** Starts the timers of delayed guesses. */
  startTimer?: StartTimer;
  /** Used instead of the stores that the configuration names; they are closed with the service. */
  stores?: Stores;
};

/** Composes the whole service by hand. */
export async function composeService(config: Config, log: Log, options: ServiceOptions = {}) {
  const { clock = Date.now, onThreadDeath, buildsDirectory } = options;
  const blockedHosts = await openBlockedHosts(config); // before the stores, which an error would leave open
  const stores = options.stores ?? (await openStores(config, onThreadDeath));
  const observers = { log, metrics: createMetrics() };
  const limits = createLimits(config.rates, {
    clock,
    shared: stores.store.sharedCounts,
    startTimer: options.startTimer,
    onDelay: () => observers.metrics.delayedGuesses.inc(),
  });
  const queues = composeQueues(observers.metrics);
  const useCases = composeUseCases(config, stores, clock, {
    limits: limits.visits,
    passwordQueue: queues.passwords,
  });
  const jobs = composeJobs({ ...stores, limits }, clock, log, blockedHosts);
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
    clock,
    uploadSpace,
    elapsedMs: options.clock ?? (() => performance.now()),
    checkHealth: prepareCheckHealth({
      ...stores,
      uploadSpace,
      lastExpirationRun: jobs.lastExpirationRun,
      isStopping: () => isStopping,
      clock,
    }),
    createLink: observeCreateLink(useCases.createLink, observers),
    resolveLink: observeResolveLink(useCases.resolveLink, observers),
    revokeLink: observeRevokeLink(useCases.revokeLink, observers),
    readLink: stores.store.read,
    keyCallers: prepareKeyCallers({
      keys,
      initialKey: config.access.initialKey,
      clock,
      onRecordError: (err) => log.write('error', 'job_failed', { job: 'record_key_use', err }),
    }),
    statistics: (requester) => queueStatistics(stores.store.statistics, queues.statistics, requester),
    limits,
    blockedHosts: blockedHosts?.current ?? (() => new Set()),
    pagesDirectory,
    onForwardedAddress: prepareProxyWarning(config, log),
  });

  return {
    ...http,
    /** Whether there are built pages to serve. */
    hasPages: pagesDirectory !== undefined,
    /** Finds what the operator should know about the keys in the store. */
    findWarnings: () => findAccessWarnings(config.access, keys, clock()),
    /** Runs the jobs now, then by the clock; resolves when the first runs are over. */
    startJobs: jobs.scheduler.start,
    /** Resolves as soon as the first job has run, from when on the service is healthy. */
    jobsAreRunning: jobs.areRunning,
    /** Completes open requests and accepts no more, commits waiting changes, and closes the stores. */
    async stop(): Promise<void> {
      isStopping = true;
      await http.close();
      await jobs.scheduler.stop();
      await stores.store.close();
    },
  };
}

/** Returns a function that warns of the first proxy that is believed without being configured. */
function prepareProxyWarning({ trustsPrivateRanges }: Config, log: Log) {
  let warns = trustsPrivateRanges;
  return (proxyAddress: string | null): void => {
    if (!warns || proxyAddress === null) return;
    warns = false;
    log.write('warn', 'service_warning', { warning: describeAssumedProxy(proxyAddress) });
  };
}

function composeQueues(metrics: Metrics) {
  const passwords = createFairQueue(PASSWORD_QUEUE);
  const [audit, rollups] = [createFairQueue(STATISTICS_QUEUE), createFairQueue(STATISTICS_QUEUE)];
  metrics.watchQueue('passwords', passwords.waiting);
  metrics.watchQueue('statistics', () => audit.waiting() + rollups.waiting());
  return { passwords, statistics: { audit, rollups } };
}

function composeJobs(
  { store, files, limits }: Stores & { limits: Limits },
  clock: Clock,
  log: Log,
  blockedHosts?: BlockedHostsFile,
) {
  let lastExpirationRun: number | null = null;
  const { promise: areRunning, resolve: hasRun } = Promise.withResolvers<void>();
  const scheduler = createScheduler(
    [
      expirationJob({ links: store, clock, log }, (at) => {
        lastExpirationRun = at;
        hasRun();
      }),
      uploadSweepJob({ files, uploads: store, clock, log }),
      limitSweepJob(limits),
      ...(blockedHosts ? [blockedHostsJob(blockedHosts.refresh, log)] : []),
    ],
    JOB_INTERVAL_MS,
    log,
  );
  return { scheduler, areRunning, lastExpirationRun: () => lastExpirationRun };
}
