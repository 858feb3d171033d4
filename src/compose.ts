import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { buildApp } from './app.ts';
import { type Config, describeDatabase, describeStorage } from './config/config.ts';
import { describeAssumedProxy } from './config/start-warnings.ts';
import { messageOf } from './error-details.ts';
import { createFilesystemStore, prepareStorageDirectory } from './files/filesystem.ts';
import { findBuiltPages } from './http/built-pages.ts';
import { expirationJob, JOB_INTERVAL_MS, uploadSweepJob } from './jobs/jobs.ts';
import { createScheduler } from './jobs/scheduler.ts';
import { newAttemptId } from './links/attempt-id.ts';
import { prepareCreateLink } from './links/create-link.ts';
import { prepareDescribeLink } from './links/describe-link.ts';
import type { Clock, FileStore, Store } from './links/ports.ts';
import { prepareDiscardFile, prepareReceiveFile } from './links/receive-file.ts';
import { prepareResolveLink } from './links/resolve-link.ts';
import { prepareUploadSpace } from './links/upload-space.ts';
import type { S3Location } from './locations.ts';
import { prepareCheckHealth } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { createMetrics } from './observability/metrics.ts';
import { observeCreateLink, observeResolveLink, observeRevokeLink } from './observability/observe.ts';
import { createArgon2idHasher } from './passwords/argon2id.ts';
import { assertNoUnfinishedMove } from './stores/move-mark.ts';
import { openPostgresStore } from './stores/postgres/open-store.ts';
import { readPostgresStore } from './stores/postgres/read-store.ts';
import { readKnownFiles } from './stores/sql/linked-files.ts';
import type { Dialect, Query } from './stores/sql/query.ts';
import { recountStore } from './stores/sql/recount.ts';
import { openSqliteStore } from './stores/sqlite/open-store.ts';
import { readSqliteStore } from './stores/sqlite/read-store.ts';
import type { OnThreadDeath } from './threads/start-thread.ts';

// The only place that names concrete adapters. Each part is created once and passed on as an argument.

/** Everything that outlives the service. */
export type Stores = { store: Store; files: FileStore };

/** Returns what the service does for a client, on its stores. The commands use it too. */
export function composeUseCases(config: Config, { store, files }: Stores, clock: Clock) {
  const passwords = createArgon2idHasher();
  return {
    createLink: prepareCreateLink({
      links: store,
      passwords,
      clock,
      randomInt,
      defaultTtl: config.defaultTtl,
    }),
    resolveLink: prepareResolveLink({
      links: store,
      files,
      passwords,
      clock,
      newAttemptId: (at) => newAttemptId(at, randomUUID()),
    }),
    describeLink: prepareDescribeLink({ links: store, clock }),
    revokeLink: store.revoke,
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
  /** Used instead of the stores that the configuration names; they are closed with the service. */
  stores?: Stores;
};

/** Composes the whole service by hand. */
export async function composeService(config: Config, log: Log, options: ServiceOptions = {}) {
  const { clock = Date.now, onThreadDeath, buildsDirectory } = options;
  const stores = options.stores ?? (await openStores(config, onThreadDeath));
  const useCases = composeUseCases(config, stores, clock);
  const observers = { log, metrics: createMetrics() };
  const jobs = composeJobs(stores, clock, log);
  let isStopping = false;
  const pagesDirectory = findBuiltPages(buildsDirectory);
  const uploadSpace = prepareUploadSpace({
    files: stores.files,
    minFreeBytes: config.storage.kind === 'directory' ? config.storage.minFreeBytes : 0,
    nowMs: () => performance.now(),
  });
  const app = await buildApp({
    ...config,
    ...observers,
    ...useCases,
    clock,
    uploadSpace,
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
    statistics: stores.store.statistics,
    pagesDirectory,
    onForwardedAddress: prepareProxyWarning(config, log),
  });

  return {
    app,
    /** Whether there are built pages to serve. */
    hasPages: pagesDirectory !== undefined,
    /** Runs the jobs now, then by the clock; resolves when the first runs are over. */
    startJobs: jobs.scheduler.start,
    /** Resolves as soon as the first job has run, from when on the service is healthy. */
    jobsAreRunning: jobs.areRunning,
    /** Completes open requests and accepts no more, commits waiting changes, and closes the stores. */
    async stop(): Promise<void> {
      isStopping = true;
      await app.close();
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

function composeJobs({ store, files }: Stores, clock: Clock, log: Log) {
  let lastExpirationRun: number | null = null;
  const { promise: areRunning, resolve: hasRun } = Promise.withResolvers<void>();
  const scheduler = createScheduler(
    [
      expirationJob({ links: store, clock, log }, (at) => {
        lastExpirationRun = at;
        hasRun();
      }),
      uploadSweepJob({ files, uploads: store, clock, log }),
    ],
    JOB_INTERVAL_MS,
    log,
  );
  return { scheduler, areRunning, lastExpirationRun: () => lastExpirationRun };
}
