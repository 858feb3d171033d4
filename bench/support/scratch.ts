import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DataSet } from './data-set.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import {
  type S3Process,
  type Server,
  type ServiceSettings,
  startBaseline,
  startS3,
  startService,
} from './processes.ts';

/** The resources of one scenario: its own directories, and the servers that it starts. */
export type Scratch = {
  /** Creates a directory. */
  directory(): string;
  /**
   * Starts the service in a new directory or in the given one. Copies `dataSet` there first. Waits until the service is
   * idle if it has one, or with `isIdle`.
   */
  startService(options?: ServiceOptions): Promise<Server>;
  startBaseline(name: string, ...rest: string[]): Promise<Server>;
  /** Starts an S3 server with an empty bucket. */
  startS3(): Promise<S3Process>;
  /** Starts an empty PostgreSQL server that flushes every commit. */
  startPostgres(): Promise<PostgresServer>;
};
type ServiceOptions = ServiceSettings & { dataSet?: DataSet; directory?: string; isIdle?: boolean };

/** Runs a scenario, then stops its servers and removes its files, even if it fails. */
export async function inScratch<T>(act: (scratch: Scratch) => Promise<T>): Promise<T> {
  const path = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const started: { stop(): Promise<void> }[] = [];
  let count = 0;
  function directory(): string {
    const made = join(path, String(++count));
    mkdirSync(made);
    return made;
  }
  async function track<Started extends { stop(): Promise<void> }>(
    starting: Promise<Started>,
  ): Promise<Started> {
    const server = await starting;
    started.push(server);
    return server;
  }
  /** Cleans up after an aborted run. Only signals can be sent: an exiting process cannot wait. */
  function cleanUp(): void {
    for (const server of started) void server.stop();
    rmSync(path, { recursive: true, force: true });
  }
  process.once('exit', cleanUp);
  try {
    return await act({
      directory,
      async startService({ dataSet, directory: target = directory(), isIdle = false, ...settings } = {}) {
        if (dataSet) copyDataSet(dataSet, target);
        const server = await track(startService(target, settings));
        if (dataSet || isIdle) await waitUntilIdle(server);
        return server;
      },
      async startS3() {
        const s3 = await startS3(directory());
        started.push(s3.server);
        return s3;
      },
      startBaseline: (name, ...rest) => track(startBaseline(name, directory(), ...rest)),
      startPostgres: () => track(startPostgres()),
    });
  } finally {
    process.off('exit', cleanUp);
    for (const server of started.reverse()) await server.stop(); // a database after the services that use it
    rmSync(path, { recursive: true, force: true });
  }
}

const IDLE_INTERVAL_MS = 2_000;
/** The jobs of an idle service take far less. */
const MAX_IDLE_SHARE = 0.05;

/** Waits until a server works no more: its jobs run at the start. */
async function waitUntilIdle(server: Server): Promise<void> {
  for (let isIdle = false; !isIdle; ) {
    const before = server.processorMs();
    await setTimeout(IDLE_INTERVAL_MS);
    isIdle = !(server.processorMs() - before > MAX_IDLE_SHARE * IDLE_INTERVAL_MS); // NaN where it cannot be measured
  }
}

/** Copies a store to where the service expects its own, sharing blocks if the file system can. */
export function copyDataSet({ databasePath }: DataSet, directory: string): void {
  copyFileSync(databasePath, join(directory, 'postern.db'), constants.COPYFILE_FICLONE);
}
