import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { RandomInt } from '../../src/core/model/short-code.ts';
import {
  openArena as openPlace,
  type Arena as Place,
  type PostgresParts,
  type StoreKind,
} from '../drive/arena.ts';
import type { Needs } from '../drive/mounts.ts';
import type { Cleanup } from '../support/cleanup.ts';
import type { Server } from '../support/http-client.ts';
import type { BreakingProxy } from '../support/postgres-proxy.ts';
import { type Exit, NO_GUESS_LIMITS, type ServiceProcess } from '../support/process.ts';
import type { S3Server } from '../support/s3-server.ts';
import { type Clients, startClients } from './clients.ts';
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
export type Arena = ChaosOptions &
  Omit<Place, 'moveClock'> & {
    /** The address of the service, which changes with each start. */
    server: Server;
    clients: Clients;
    webhooks: Webhooks;
    /** Aborted when the run is over, also because a program ended by itself or the fault lasts too long. */
    signal: AbortSignal;
    /** Ends the run with an error when a program ends that it needs. `lost` rejects then. */
    endWith(lost: Promise<never>): void;
    process(): ServiceProcess;
    /** Starts the service, by default on any port. */
    start(port?: number): Promise<void>;
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
    /** When the first stop began. A request that a client sends later, on a connection that the stop closes, breaks. */
    stoppedAt: number | undefined;
    /** Excludes what was acknowledged between two times from the checks, because a fault takes it away on purpose. */
    forgive(from: number, until: number): void;
    forgiven: { from: number; until: number }[];
  };

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
  const webhooks = await startWebhooks(cleanup);
  const flags = [
    ...NO_GUESS_LIMITS,
    '--app.trusted-proxies=127.0.0.1', // each request names its client
    ...webhooks.flags,
    ...(needs === 'mounts' ? ['--app.storage.min-free=0'] : []),
  ];
  const place = await openPlace(cleanup, { store, needs, flags });
  const arena = composeArena(place, webhooks, options, over);
  if (place.postgres) arena.endWith(place.postgres.server.lost);
  await arena.start();
  cleanup.after(() => arena.clients.stop());
  await createTargets(arena);
  arena.clients.resume();
  assert.ok(arena.clients.history.links.size > VIEW_LIMITS.length, `${name} begins with links`);
  return arena;
}

function composeArena(place: Place, webhooks: Webhooks, options: ChaosOptions, over: AbortController): Arena {
  const { postgres } = place;
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
    ...place,
    webhooks,
    server,
    clients: startClients(server, {
      count: options.clientCount,
      random: options.random,
      receiver: webhooks.url,
    }),
    findings: [],
    forgiven: [],
    notes: [],
    endedAt: undefined,
    stoppedAt: undefined,
    signal: over.signal,
    endWith: (lost) => void lost.catch(over.abort.bind(over)),
    process() {
      if (!running) throw new Error('The service of this arena has not started');
      return running;
    },
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
    stop() {
      arena.stoppedAt ??= performance.now();
      return end('SIGTERM');
    },
    moveClock: (offsetMs) => place.moveClock(server, offsetMs),
    hold: (ms = options.holdMs) => pause(ms, undefined, { signal: over.signal }),
    readState: async () =>
      postgres ? readPostgresState(postgres.schema) : readSqliteState(arena.databasePath),
    report: (finding) => void arena.findings.push(finding),
    note: (text) => void arena.notes.push(text),
    forgive: (from, until) => void arena.forgiven.push({ from, until }),
  };
  return arena;
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
