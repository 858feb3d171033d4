import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../src/core/config/config.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { json, member, type Server, send } from '../support/http-client.ts';
import { type OwnServer, STANDBY_OF, startOwnServer } from '../support/own-postgres.ts';
import { type BreakingProxy, startProxy } from '../support/postgres-proxy.ts';
import { createSchema, type Schema } from '../support/postgres-server.ts';
import {
  type Exit,
  type ServiceProcess,
  serviceFlags,
  startProgram,
  startServiceProcess,
} from '../support/process.ts';
import { CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory, testConfig } from '../support/service.ts';
import { mountDisks, type Needs } from './mounts.ts';

export type StoreKind = 'sqlite' | 'postgres';

export type PostgresParts = {
  server: OwnServer;
  standby: OwnServer | undefined;
  schema: Schema;
  proxy: BreakingProxy | undefined;
};

/** The data of a service, with the servers that it needs, on which a driver starts instances of the service. */
export type Arena = {
  cleanup: Cleanup;
  store: StoreKind;
  directory: string;
  databasePath: string;
  storagePath: string;
  postgres: PostgresParts | undefined;
  s3: S3Server | undefined;
  /** The database that the service uses, perhaps through a proxy. By default an SQLite file in the directory. */
  databaseUrl: string | undefined;
  /** The flags of the service beyond those of its data, also for commands. */
  flags: string[];
  /** Starts an instance, by default on any port. It ends with the trial at the latest. */
  startInstance(port?: number): Promise<ServiceProcess>;
  /** Moves the clock of all instances. `server` is one of them. */
  moveClock(server: Server, offsetMs: number): Promise<void>;
};

/** `env` and `cwd` are those of instances, and `nodeFlags` those of their Node. */
export type ArenaOptions = {
  store?: StoreKind;
  needs?: Needs | undefined;
  /** By default a new one. */
  directory?: string;
  flags?: string[];
  nodeFlags?: string[];
  env?: Record<string, string>;
  cwd?: string;
};

/** Health is checked at most this long ago. */
export const CLOCK_TOLERANCE_MS = 30_000;

export async function openArena(
  cleanup: Cleanup,
  { store = 'sqlite', needs, flags: more = [], nodeFlags = [], env, ...options }: ArenaOptions,
): Promise<Arena> {
  const newDirectory = needs === 'mounts' ? mountDisks : temporaryDirectory;
  const { directory = newDirectory(cleanup), cwd } = options;
  const postgres = store === 'postgres' ? await startPostgres(cleanup, needs) : undefined;
  const s3 = needs === 's3' ? await startS3Server() : undefined;
  if (s3) cleanup.after(() => s3.stop());
  const clock = createClock(cleanup);
  const databaseUrl = postgres && databaseUrlOf(postgres);
  const flags = [...more, ...(s3 ? [...s3.flags, '--app.storage.timeout=PT2S'] : [])];
  return {
    ...{ cleanup, store, directory, postgres, s3, databaseUrl, flags },
    databasePath: join(directory, 'postern.db'),
    storagePath: join(directory, 'files'),
    startInstance: (port) =>
      startServiceProcess(cleanup, directory, {
        flags,
        nodeFlags: [`--import=${clock.module}`, ...nodeFlags],
        env: { ...env, ...(s3 && CREDENTIALS) },
        ...(databaseUrl !== undefined && { databaseUrl }),
        ...(port !== undefined && { port }),
        ...(cwd !== undefined && { cwd }),
      }),
    async moveClock(server, offsetMs) {
      clock.write(offsetMs);
      const hasMoved = async (): Promise<boolean> =>
        Math.abs((await clockOf(server)) - Date.now() - offsetMs) < CLOCK_TOLERANCE_MS;
      if (!(await eventually(hasMoved)))
        throw new Error(`The clock of the service did not move by ${offsetMs} ms`);
    },
  };
}

/** Returns a module that moves the clock of the service that loads it, and a function that says by how much. */
function createClock(cleanup: Cleanup) {
  // Elsewhere: a directory with other files is not taken for an empty one, in which a database may be created.
  const file = join(temporaryDirectory(cleanup), 'clock-offset');
  writeFileSync(file, '0');
  const { href } = new URL(`clock-offset.ts?${new URLSearchParams({ file })}`, import.meta.url);
  return {
    module: href,
    write(offsetMs: number): void {
      writeFileSync(`${file}.new`, String(offsetMs));
      renameSync(`${file}.new`, file);
    },
  };
}

async function startPostgres(cleanup: Cleanup, needs: Needs | undefined): Promise<PostgresParts> {
  const server = await startOwnServer();
  cleanup.after(() => server.stop());
  const schema = await createSchema(server.url);
  cleanup.after(() => schema.close());
  const { hostname, port } = new URL(server.url);
  const proxy =
    needs === 'proxy' ? await startProxy(cleanup, { host: hostname, port: Number(port) }) : undefined;
  const standby = needs === 'standby' ? await startStandby(cleanup, server, schema) : undefined;
  return { server, standby, schema, proxy };
}

/** Starts a standby of a server, which commits nothing any more without it. */
async function startStandby(cleanup: Cleanup, { url }: OwnServer, { query }: Schema): Promise<OwnServer> {
  const standby = await startOwnServer(`${STANDBY_OF}${url}`);
  cleanup.after(() => standby.stop());
  await query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await query('SELECT pg_reload_conf()');
  const isSynchronous = async () =>
    (await query('SELECT 1 FROM pg_stat_replication WHERE sync_state = $1', ['sync'])).length > 0;
  if (!(await eventually(isSynchronous))) throw new Error('The standby does not follow its server');
  return standby;
}

function databaseUrlOf({ schema, proxy, standby }: PostgresParts): string {
  if (standby) {
    const { host } = new URL(schema.url);
    const hosts = `${host},${new URL(standby.url).host}`;
    return `${schema.url.replace(host, hosts)}&target_session_attrs=read-write`;
  }
  if (!proxy) return schema.url;
  const url = new URL(schema.url);
  url.port = String(proxy.port);
  return url.href.replaceAll('+', '%20');
}

/** Returns the time of a service, which its health shows. */
async function clockOf(server: Server): Promise<number> {
  const health = json(await send(server, '/actuator/health'));
  const database = member(member(health, 'components'), 'database');
  return Date.parse(String(member(member(database, 'details'), 'checkedAt')));
}

const CHECK_EVERY_MS = 50;
const PATIENCE_MS = 90_000;

/** Resolves to true once a condition holds, which is checked every 50 ms; to false when it takes too long. */
export async function eventually(
  condition: () => Promise<boolean>,
  withinMs = PATIENCE_MS,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await condition().catch(() => false)) return true;
    await pause(CHECK_EVERY_MS);
  }
  return false;
}

/** Runs a command on the data of an arena. */
export function runCommand(
  name: string,
  {
    cleanup,
    directory,
    databaseUrl,
    flags,
    s3,
  }: Pick<Arena, 'cleanup' | 'directory' | 'databaseUrl' | 'flags' | 's3'>,
): Promise<Exit> {
  const program = ['cli/main.ts', name, ...serviceFlags(directory, 8080, databaseUrl), ...flags];
  return startProgram(cleanup, program, s3 && CREDENTIALS).exited;
}

/** Returns the configuration of a service, to open its stores in this process. */
export function configOf({
  directory,
  databaseUrl,
  flags,
}: Pick<Arena, 'directory' | 'databaseUrl' | 'flags'>): Config {
  return testConfig(directory, ...(databaseUrl ? [`--app.database.url=${databaseUrl}`] : []), ...flags);
}
