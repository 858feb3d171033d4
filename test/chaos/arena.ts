import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RandomInt } from '../../src/core/model/short-code.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { json, member, type Server, send } from '../support/http-client.ts';
import { type OwnServer, STANDBY_OF, startOwnServer } from '../support/own-postgres.ts';
import { type BreakingProxy, startProxy } from '../support/postgres-proxy.ts';
import { createSchema, type Schema } from '../support/postgres-server.ts';
import { type Exit, NO_GUESS_LIMITS, type ServiceProcess, startServiceProcess } from '../support/process.ts';
import { CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';
import { type Clients, startClients } from './clients.ts';
import type { Needs, StoreKind } from './mounts.ts';
import { mountDisks } from './mounts.ts';
import { PASSWORD, planAttempt, planCreation, planRevocation, planUpload } from './requests.ts';
import { readPostgresState, readSqliteState, type StoredState } from './stored-state.ts';
import { startWebhooks, type Webhooks } from './webhooks.ts';

/** The length of a fault, and how the clients behave. */
export type ChaosOptions = {
  random: RandomInt;
  /** For how long a fault lasts that does not end by itself. */
  holdMs: number;
  /** The number of repetitions of a fault that is a moment, such as a kill. */
  rounds: number;
  clientCount: number;
  /** By how much longer than on a machine that has nothing else to do a recovery may take. */
  patience: number;
  /** True if the run waits until all webhooks have arrived. That takes a minute if a lease was lost. */
  awaitsWebhooks: boolean;
};

/** A service under load, with all that a fault can break. */
export type Arena = ChaosOptions & {
  store: StoreKind;
  cleanup: Cleanup;
  directory: string;
  databasePath: string;
  storagePath: string;
  /** The address of the service, which changes with each start. */
  server: Server;
  clients: Clients;
  postgres: PostgresParts | undefined;
  s3: S3Server | undefined;
  webhooks: Webhooks;
  /** The flags of the service beyond those of its data, also for commands. */
  flags: string[];
  /** The database that the service uses, perhaps through a proxy. */
  databaseUrl: string | undefined;
  /** Aborted when the run is over, also because a program ended by itself or the fault lasts too long. */
  signal: AbortSignal;
  /** Ends the run with an error when a program ends that it needs. `lost` rejects then. */
  endWith(lost: Promise<never>): void;
  process(): ServiceProcess;
  /** Starts the service, by default on any port. */
  start(port?: number): Promise<void>;
  /** Starts another instance on the same data, which the caller stops. */
  startInstance(port?: number): Promise<ServiceProcess>;
  /** Kills the service, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops the service as a supervisor does. */
  stop(): Promise<Exit>;
  moveClock(offsetMs: number): Promise<void>;
  /** Lets the fault last while the clients send. */
  hold(ms?: number): Promise<void>;
  readState(): Promise<StoredState>;
  /** Reports that something was not as it must be. */
  report(finding: string): void;
  findings: string[];
  /** Adds a figure to the report. */
  note(text: string): void;
  notes: string[];
  /** Set if the recovery begins before the injection returns. */
  endedAt: number | undefined;
  /** Excludes what was acknowledged between two times from the checks, because a fault takes it away on purpose. */
  forgive(from: number, until: number): void;
  forgiven: { from: number; until: number }[];
};

export type PostgresParts = {
  server: OwnServer;
  standby: OwnServer | undefined;
  schema: Schema;
  proxy: BreakingProxy | undefined;
};

/** Health is checked at most this long ago. */
export const CLOCK_TOLERANCE_MS = 30_000;
/** The end of what a service printed before it ended. */
const MAX_OUTPUT = 600;

/** The limits of views that are reached soon, later, and never. */
const VIEW_LIMITS = [1, 5, 50, 150, 400, 1_000_000];

/** Starts a service with some links, and clients that use it. `fault` decides on which stores. */
export async function openArena(
  cleanup: Cleanup,
  { name, store, needs }: { name: string; store: StoreKind; needs: Needs | undefined },
  options: ChaosOptions,
  over: AbortController,
): Promise<Arena> {
  const directory = needs === 'mounts' ? mountDisks(cleanup) : temporaryDirectory(cleanup);
  const postgres = store === 'postgres' ? await startPostgres(cleanup, needs) : undefined;
  const s3 = needs === 's3' ? await startS3Server() : undefined;
  if (s3) cleanup.after(() => s3.stop());
  const webhooks = await startWebhooks(cleanup);
  const arena = composeArena(cleanup, { directory, store, needs, postgres, s3, webhooks }, options, over);
  if (postgres) arena.endWith(postgres.server.lost);
  await arena.start();
  cleanup.after(() => arena.clients.stop());
  await createTargets(arena);
  arena.clients.resume();
  assert.ok(arena.clients.history.links.size > VIEW_LIMITS.length, `${name} begins with links`);
  return arena;
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

type Places = Pick<Arena, 'directory' | 'store' | 'postgres' | 's3' | 'webhooks'> & {
  needs: Needs | undefined;
};

function composeArena(cleanup: Cleanup, places: Places, options: ChaosOptions, over: AbortController): Arena {
  const { needs, ...parts } = places;
  const { directory, postgres, s3, webhooks } = parts;
  // Elsewhere: a directory with other files is not taken for an empty one, in which a database may be created.
  const clockFile = join(temporaryDirectory(cleanup), 'clock-offset');
  writeFileSync(clockFile, '0');
  const clock = new URL('clock-offset.ts', import.meta.url);
  clock.searchParams.set('file', clockFile);
  const flags = [
    ...NO_GUESS_LIMITS,
    '--app.trusted-proxies=127.0.0.1', // each request names its client
    ...webhooks.flags,
    ...(s3 ? [...s3.flags, '--app.storage.timeout=PT2S'] : []),
    ...(needs === 'mounts' ? ['--app.storage.min-free=0'] : []),
  ];
  let running: ServiceProcess | undefined;
  /** The process that this arena ends itself. */
  let ending: ServiceProcess | undefined;
  function end(signal: NodeJS.Signals): Promise<Exit> {
    ending = arena.process();
    ending.signal(signal);
    return ending.exited;
  }
  const server: Server = { url: 'http://127.0.0.1:1' }; // refuses connections
  const arena: Arena = {
    ...options,
    ...parts,
    cleanup,
    databasePath: join(directory, 'postern.db'),
    storagePath: join(directory, 'files'),
    server,
    clients: startClients(server, {
      count: options.clientCount,
      random: options.random,
      receiver: webhooks.url,
    }),
    flags,
    databaseUrl: postgres && databaseUrlOf(postgres),
    findings: [],
    forgiven: [],
    notes: [],
    endedAt: undefined,
    signal: over.signal,
    endWith: (lost) => void lost.catch(over.abort.bind(over)),
    process() {
      if (!running) throw new Error('The service of this arena has not started');
      return running;
    },
    startInstance: (port) =>
      startServiceProcess(cleanup, directory, {
        flags,
        nodeFlags: ['--import', clock.href],
        env: { ...(s3 && CREDENTIALS) },
        ...(arena.databaseUrl !== undefined && { databaseUrl: arena.databaseUrl }),
        ...(port !== undefined && { port }),
      }),
    async start(port) {
      over.signal.throwIfAborted();
      const started = await arena.startInstance(port);
      running = started;
      server.url = started.url;
      started.exited.then(({ code, signal, stderr }) => {
        const ended = `The service ended by itself with ${code ?? signal}: ${stderr.slice(-MAX_OUTPUT)}`;
        if (started !== ending) over.abort(new Error(ended));
      }, over.abort.bind(over));
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    async moveClock(offsetMs) {
      writeFileSync(`${clockFile}.new`, String(offsetMs));
      renameSync(`${clockFile}.new`, clockFile);
      const hasMoved = async (): Promise<boolean> =>
        Math.abs((await clockOf(server)) - Date.now() - offsetMs) < CLOCK_TOLERANCE_MS;
      if (!(await eventually(hasMoved)))
        throw new Error(`The clock of the service did not move by ${offsetMs} ms`);
    },
    hold: (ms = options.holdMs) => pause(ms, undefined, { signal: over.signal }),
    readState: async () =>
      postgres ? readPostgresState(postgres.schema) : readSqliteState(arena.databasePath),
    report: (finding) => void arena.findings.push(finding),
    note: (text) => void arena.notes.push(text),
    forgive: (from, until) => void arena.forgiven.push({ from, until }),
  };
  return arena;
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

/** Creates the links that many clients share: with each limit, protected, with a file, and revoked. */
async function createTargets({ clients }: Arena): Promise<void> {
  for (const maxViews of VIEW_LIMITS) await clients.sendOne(planCreation(clients.nextAgent(), { maxViews }));
  await clients.sendOne(planCreation(clients.nextAgent(), { password: PASSWORD }));
  await clients.sendOne(planCreation(clients.nextAgent(), { password: PASSWORD, maxViews: 20 }));
  await clients.sendOne(planUpload(clients.nextAgent(), { sizeBytes: 100_000 }));
  await clients.sendOne(planUpload(clients.nextAgent(), { sizeBytes: 3_000, maxViews: 60 }));
  await clients.sendOne(planCreation(clients.nextAgent()));
  const [revoked = ''] = [...clients.history.links.keys()].slice(-1);
  await clients.sendOne(planRevocation(revoked, clients.nextAgent()));
  await clients.sendOne(planAttempt('open', revoked, clients.nextAgent()));
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

/** Returns the parts of PostgreSQL. A fault that needs them runs only on that store. */
export function postgresOf({ postgres }: Arena): PostgresParts {
  if (!postgres) throw new Error('This fault needs PostgreSQL');
  return postgres;
}

export function proxyOf(arena: Arena): BreakingProxy {
  const { proxy } = postgresOf(arena);
  if (!proxy) throw new Error('This fault needs a proxy');
  return proxy;
}

export function s3Of({ s3 }: Arena): S3Server {
  if (!s3) throw new Error('This fault needs object storage');
  return s3;
}
