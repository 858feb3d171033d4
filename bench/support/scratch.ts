import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** A place for one scenario: directories of its own, and the servers that it starts. */
export type Scratch = {
  /** A new directory. */
  directory(): string;
  /** Starts the service in a new directory, or in one where it ran before; `dataSet` is copied there first. */
  startService(options?: ServiceOptions): Promise<Server>;
  startBaseline(name: string, ...rest: string[]): Promise<Server>;
  /** Starts an S3 server on an empty bucket. */
  startS3(): Promise<S3Process>;
  /** Starts a PostgreSQL server that is durable, and empty. */
  startPostgres(): Promise<PostgresServer>;
};
type ServiceOptions = ServiceSettings & { dataSet?: DataSet; directory?: string };

/** Runs a scenario, then stops what it started and removes its files, also when it failed. */
export async function inScratch<T>(act: (scratch: Scratch) => Promise<T>): Promise<T> {
  const path = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const started: { stop(): Promise<void> }[] = [];
  let count = 0;
  function directory(): string {
    const made = join(path, String(++count));
    mkdirSync(made);
    return made;
  }
  async function keep<Started extends { stop(): Promise<void> }>(
    starting: Promise<Started>,
  ): Promise<Started> {
    const server = await starting;
    started.push(server);
    return server;
  }
  /** Of a run that is broken off. Signals are sent at once; nobody can wait any more. */
  function cleanUp(): void {
    for (const server of started) void server.stop();
    rmSync(path, { recursive: true, force: true });
  }
  process.once('exit', cleanUp);
  try {
    return await act({
      directory,
      startService({ dataSet, directory: place = directory(), ...settings } = {}) {
        if (dataSet) copyDataSet(dataSet, place);
        return keep(startService(place, settings));
      },
      async startS3() {
        const s3 = await startS3(directory());
        started.push(s3.server);
        return s3;
      },
      startBaseline: (name, ...rest) => keep(startBaseline(name, directory(), ...rest)),
      startPostgres: () => keep(startPostgres()),
    });
  } finally {
    process.off('exit', cleanUp);
    for (const server of started.reverse()) await server.stop(); // a database after those who use it
    rmSync(path, { recursive: true, force: true });
  }
}

/** Puts a copy of a store where the service looks for its own; where the file system can, it shares blocks. */
export function copyDataSet({ databasePath }: DataSet, directory: string): void {
  copyFileSync(databasePath, join(directory, 'postern.db'), constants.COPYFILE_FICLONE);
}
