import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { createFilesystemStore, prepareStorageDirectory } from './files/filesystem.ts';
import { expirationJob, JOB_INTERVAL_MS, uploadSweepJob } from './jobs/jobs.ts';
import { createScheduler } from './jobs/scheduler.ts';
import { newAttemptId } from './links/attempt-id.ts';
import { prepareCreateLink } from './links/create-link.ts';
import type { Clock } from './links/ports.ts';
import { prepareDiscardFile, prepareReceiveFile } from './links/receive-file.ts';
import { prepareResolveLink } from './links/resolve-link.ts';
import { prepareCheckHealth } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import { createMetrics } from './observability/metrics.ts';
import { observeCreateLink, observeResolveLink, observeRevokeLink } from './observability/observe.ts';
import { createArgon2idHasher } from './passwords/argon2id.ts';
import { openSqliteStore } from './stores/sqlite/open-store.ts';

/** The service, put together and not yet listening. */
export type Service = {
  app: FastifyInstance;
  /** Runs the jobs for the first time, then by the clock; from then on the service can be healthy. */
  startJobs(): Promise<void>;
  /** Answers what is in flight, takes no more, commits what is waiting, and closes the stores. */
  stop(): Promise<void>;
};

/** The use cases that a configuration makes, on the stores that it names. Other programs than the service use them too. */
export async function composeUseCases(config: Config, clock: Clock) {
  await prepareStorageDirectory(config.storagePath);
  const store = await openSqliteStore({ path: config.database.path });
  const files = createFilesystemStore({ directory: config.storagePath });
  const passwords = createArgon2idHasher({});
  return {
    store,
    files,
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
    revokeLink: store.revoke,
    receiveFile: prepareReceiveFile({ files, uploads: store, clock, newFileId: randomUUID }),
    discardFile: prepareDiscardFile({ files, uploads: store }),
  };
}

/** Puts the whole service together by hand: the only place that names concrete adapters. */
export async function composeService(config: Config, log: Log, clock: Clock = Date.now): Promise<Service> {
  const { store, files, ...useCases } = await composeUseCases(config, clock);
  const observers = { log, metrics: createMetrics({ process: true }) };
  let lastExpirationRun: number | null = null;
  let isStopping = false;

  const scheduler = createScheduler(
    [
      expirationJob({ links: store, clock, log }, (at) => {
        lastExpirationRun = at;
      }),
      uploadSweepJob({ files, uploads: store, clock, log }),
    ],
    JOB_INTERVAL_MS,
    log,
  );
  const app = await buildApp({
    createLink: observeCreateLink(useCases.createLink, observers),
    resolveLink: observeResolveLink(useCases.resolveLink, observers),
    revokeLink: observeRevokeLink(useCases.revokeLink, observers),
    receiveFile: useCases.receiveFile,
    discardFile: useCases.discardFile,
    statistics: store.statistics,
    checkHealth: prepareCheckHealth({
      store,
      files,
      lastExpirationRun: () => lastExpirationRun,
      isStopping: () => isStopping,
      clock,
    }),
    ...observers,
    ...config,
    clock,
  });

  return {
    app,
    startJobs: () => scheduler.start(),
    async stop() {
      isStopping = true;
      await app.close();
      await scheduler.stop();
      await store.close();
    },
  };
}
