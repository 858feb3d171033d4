import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { type Config, describeBucket, describeDatabase, type S3Storage } from './config/config.ts';
import { createFilesystemStore, prepareStorageDirectory } from './files/filesystem.ts';
import type { S3Store } from './files/s3.ts';
import { findBuiltPages } from './http/built-pages.ts';
import { expirationJob, JOB_INTERVAL_MS, uploadSweepJob } from './jobs/jobs.ts';
import { createScheduler } from './jobs/scheduler.ts';
import { newAttemptId } from './links/attempt-id.ts';
import type { KnownFiles } from './links/compare-files.ts';
import { prepareCreateLink } from './links/create-link.ts';
import { prepareDescribeLink } from './links/describe-link.ts';
import type {
  Clock,
  FileStore,
  LinkStore,
  StatisticsStore,
  StoreProbe,
  UploadLedger,
} from './links/ports.ts';
import { prepareDiscardFile, prepareReceiveFile } from './links/receive-file.ts';
import { prepareResolveLink } from './links/resolve-link.ts';
import { prepareCheckHealth } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { createMetrics } from './observability/metrics.ts';
import { observeCreateLink, observeResolveLink, observeRevokeLink } from './observability/observe.ts';
import { createArgon2idHasher } from './passwords/argon2id.ts';
import { openPostgresStore } from './stores/postgres/open-store.ts';
import { knownFilesOfPostgresStore, recountPostgresStore } from './stores/postgres/recount.ts';
import type { Recount } from './stores/recount.ts';
import { openSqliteStore } from './stores/sqlite/open-store.ts';
import { knownFilesOfSqliteStore, recountSqliteStore } from './stores/sqlite/recount.ts';
import type { OnThreadDeath } from './threads/start-thread.ts';

// The only place that names concrete adapters. Each part is made here, once, and handed to whoever needs it.

/** Every port that a store serves. */
export type Store = LinkStore &
  UploadLedger &
  StoreProbe & {
    statistics: StatisticsStore;
    /** Commits what is waiting, then closes what the store holds open. */
    close(): Promise<void>;
  };

/** Where all is kept that outlives the service. */
export type Stores = { store: Store; files: FileStore };

/** What the service does for a client, on its stores. Other programs than the service use these too. */
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

/** Opens the stores of a configuration, making what is not there yet. A bucket is not made, but proved to be of use. */
export async function openStores(config: Config, onThreadDeath?: OnThreadDeath): Promise<Stores> {
  const { database } = config;
  const files = await openFileStore(config);
  const watched = onThreadDeath && { onThreadDeath };
  const opening =
    database.kind === 'sqlite'
      ? openSqliteStore({ path: database.path, ...watched })
      : openPostgresStore({ ...database, ...watched });
  return { files, store: await naming(`app.database.url ${describeDatabase(database)}`, opening) };
}

/** The files of a configuration, whose directory is made; a bucket is not made, but proved to be of use. */
export async function openFileStore({ storage }: Config): Promise<FileStore> {
  if (storage.kind === 'directory') {
    await naming(`app.storage.path ${storage.path}`, prepareStorageDirectory(storage.path));
    return createFilesystemStore({ directory: storage.path });
  }
  const files = await createBucketStore(storage);
  await naming(`app.storage.url ${describeBucket(storage)}`, files.proveUsable());
  return files;
}

/** Loaded by those alone who use it: the SDK takes 0.4 s to load, and 10 MB. */
async function createBucketStore(storage: S3Storage): Promise<S3Store> {
  const { createS3Store } = await import('./files/s3.ts');
  return createS3Store(storage);
}

/** The files of a configuration as they are: nothing is made, and nothing is proved. */
export async function composeFiles({ storage }: Config): Promise<FileStore> {
  return storage.kind === 'directory'
    ? createFilesystemStore({ directory: storage.path })
    : await createBucketStore(storage);
}

/** What there is to verify of a store without opening it for work: it may be in use. */
export function composeVerification({ database }: Config): {
  recount(): Promise<Recount>;
  knownFiles(): Promise<KnownFiles>;
} {
  if (database.kind === 'sqlite') {
    return {
      recount: async () => recountSqliteStore(database.path),
      knownFiles: async () => knownFilesOfSqliteStore(database.path),
    };
  }
  return {
    recount: () => recountPostgresStore(database),
    knownFiles: () => knownFilesOfPostgresStore(database),
  };
}

/** Says which property a fault at the start belongs to: the reader knows what to change. */
async function naming<T>(property: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (cause) {
    throw new Error(`${property}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The service, put together and not yet listening. */
export type Service = {
  app: FastifyInstance;
  /** Whether there are pages to be served. */
  hasPages: boolean;
  /** Runs the jobs now, then by the clock; resolves when the first runs are over. */
  startJobs(): Promise<void>;
  /** Resolves as soon as the jobs have got so far that the service is healthy. */
  jobsAreRunning: Promise<void>;
  /** Answers what is in flight, takes no more, commits what is waiting, and closes the stores. */
  stop(): Promise<void>;
};

/**
 * Puts the whole service together by hand.
 *
 * @param options.stores in place of those that the configuration names; they are closed with the service
 */
export async function composeService(
  config: Config,
  log: Log,
  options: { clock?: Clock; onThreadDeath?: OnThreadDeath; buildsDirectory?: string; stores?: Stores } = {},
): Promise<Service> {
  const { clock = Date.now, onThreadDeath, buildsDirectory } = options;
  const stores = options.stores ?? (await openStores(config, onThreadDeath));
  const { store, files } = stores;
  const useCases = composeUseCases(config, stores, clock);
  const observers = { log, metrics: createMetrics() };
  let lastExpirationRun: number | null = null;
  let isStopping = false;
  const { promise: jobsAreRunning, resolve: hasRun } = Promise.withResolvers<void>();
  const checkHealth = prepareCheckHealth({
    store,
    files,
    lastExpirationRun: () => lastExpirationRun,
    isStopping: () => isStopping,
    clock,
  });
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
  const pagesDirectory = findBuiltPages(buildsDirectory);
  const app = await buildApp({
    ...config,
    ...observers,
    clock,
    checkHealth,
    createLink: observeCreateLink(useCases.createLink, observers),
    resolveLink: observeResolveLink(useCases.resolveLink, observers),
    describeLink: useCases.describeLink,
    revokeLink: observeRevokeLink(useCases.revokeLink, observers),
    receiveFile: useCases.receiveFile,
    discardFile: useCases.discardFile,
    statistics: store.statistics,
    pagesDirectory,
  });

  return {
    app,
    hasPages: pagesDirectory !== undefined,
    startJobs: scheduler.start,
    jobsAreRunning,
    async stop() {
      isStopping = true;
      await app.close();
      await scheduler.stop();
      await store.close();
    },
  };
}
