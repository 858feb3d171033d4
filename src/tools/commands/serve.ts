import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, messageOf } from '../../common/error-details.ts';
import { describeDatabase } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import { PROBLEMS } from '../../core/model/problem.ts';
import { createWaitingServers } from '../../http/waiting-servers.ts';
import { createLog, type Log } from '../../observability/log.ts';
import { composeService, type Service } from '../../service/compose.ts';
import { type LoadedConfig, loadConfig } from '../../service/config/load-config.ts';
import { isDatabaseFull } from '../../service/open-stores.ts';
import type { OnThreadDeath } from '../../stores/start-thread.ts';
import { announceStart } from './announce-start.ts';
import { defineCommand } from './command.ts';
import { prepareReread } from './reread-settings.ts';
import { onStopSignal } from './stop-signals.ts';

/** After this time a stop cuts off slow clients: their responses are committed. A slow disk needs the rest. */
const CUT_OFF_AFTER_MS = 7_500;
/** A stop takes at most ten seconds, even if it hangs and half a second is spent on a log that is not read. */
export const GIVE_UP_AFTER_MS = 9_500;

/** `reload`: reads the settings again. */
type Settings = Extract<LoadedConfig, { ok: true }> & { reload(): LoadedConfig };

async function start(settings: Settings): Promise<undefined> {
  const { config, warnings } = settings;
  const startedAt = performance.now();
  const log = createLog(config.log.level);
  /** Ends the process. A supervisor starts the service again, and the store has all that was acknowledged. */
  const crash = (error: unknown): never => {
    log.write('fatal', 'unexpected_error', { err: error });
    log.flush();
    process.exit(1);
  };
  let newDatabase: string | null = null;
  let firstSignIn: string | null = null;
  const beginRereading = receiveReloads();
  try {
    const service = await composeOnceThereIsSpace(config, log, crash);
    if (service.isDatabaseNew) newDatabase = describeDatabase(config.database);
    warnings.push(...(await service.listenLocally()));
    await listenOnAll(service, config);
    stopOnSignal(service, log, crash);
    beginRereading(prepareReread({ ...settings, log, refreshBlockedHosts: service.refreshBlockedHosts }));
    await Promise.race([service.startJobs(), service.jobsAreRunning]);
    firstSignIn = await service.inviteAdministrator();
    warnings.push(...(await service.findWarnings()));
    if (!service.hasPages) warnings.push('The pages are not built. Run `npm run build` to build them.');
  } catch (error) {
    log.flush();
    throw error;
  }
  const readyMs = Math.round(performance.now() - startedAt);
  announceStart(
    { ...config.server, baseUrl: config.baseUrl, newDatabase, firstSignIn, readyMs, warnings },
    { log, stdout: process.stdout, stderr: process.stderr },
  );
}

const TRY_AGAIN_MS = 1_000;

/** Composes the service. While the disk of its database is full, requests get 503, and it is tried again. */
async function composeOnceThereIsSpace(config: Config, log: Log, onThreadDeath: OnThreadDeath) {
  let waiting: ReturnType<typeof createWaitingServers> | undefined;
  for (;;) {
    try {
      const service = await composeService(config, log, { onThreadDeath });
      await waiting?.close();
      if (waiting) log.write('info', 'problem_solved', { problem: 'database_disk_full' });
      return service;
    } catch (error) {
      if (!isDatabaseFull(config, error)) throw error;
      if (!waiting) {
        waiting = createWaitingServers(config);
        await listenOnAll(waiting, config);
        const explanation = PROBLEMS.database_disk_full;
        log.write('error', 'problem_found', {
          ...{ problem: 'database_disk_full', explanation, details: messageOf(error) },
        });
      }
      await pause(TRY_AGAIN_MS);
    }
  }
}

async function listenOnAll(
  { app, managementServer }: Listening,
  { server: { host, port, managementPort } }: Config,
): Promise<void> {
  await listen((address) => app.listen({ ...address, backlog: BACKLOG }), {
    ...{ host, port, property: 'server.port' },
  });
  if (!managementServer || managementPort === null) return;
  const listenToManagement = (address: Address) => once(managementServer.listen(address), 'listening');
  await listen(listenToManagement, { host, port: managementPort, property: 'app.management.port' });
}

type Address = { host: string; port: number };
type Listening = Pick<Service, 'managementServer'> & {
  app: { listen(address: Address & { backlog: number }): Promise<unknown> };
};

/**
 * The maximum of connections that wait to be accepted; the system may allow fewer. The kernel drops further ones, whose
 * clients try again after one second and after three. Node's default is 511.
 */
const BACKLOG = 4_096;

/** Listens on the configured address. On a machine without IPv6, `::` means all interfaces of IPv4. */
async function listen(
  startListening: (address: Address) => Promise<unknown>,
  { host, port, property }: Address & { property: string },
): Promise<void> {
  try {
    await startListening({ host, port });
  } catch (error) {
    const code = codeOf(error);
    if (host === '::' && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL')) {
      await listen(startListening, { host: '0.0.0.0', port, property });
      return;
    }
    const problem = LISTEN_ERRORS.get(code);
    if (problem) throw new Error(`port ${port} ${problem} with --${property}=…`, { cause: error });
    throw new Error(`server.host ${host}: ${messageOf(error)}`, { cause: error });
  }
}

const LISTEN_ERRORS = new Map<unknown, string>([
  ['EADDRINUSE', 'is taken by another program; choose another port'],
  ['EACCES', 'may not be opened by this user; choose a port from 1024'],
]);

function stopOnSignal(service: Service, log: Log, crash: (error: unknown) => never): void {
  async function stop(signal: NodeJS.Signals): Promise<void> {
    log.write('info', 'service_stopping', { signal });
    const cutOff = setTimeout(service.closeAllConnections, CUT_OFF_AFTER_MS);
    const giveUp = setTimeout(() => crash(new Error('The service did not stop in time')), GIVE_UP_AFTER_MS);
    await service.stop();
    clearTimeout(giveUp);
    clearTimeout(cutOff);
    log.write('info', 'service_stopped', {});
    log.flush();
    process.exit(0);
  }
  onStopSignal((signal) => void stop(signal).catch(crash), log.flush);
}

/**
 * Receives SIGHUP, also during the start: settings are reread once the returned function got what does that. In a terminal
 * the signal says that the terminal was closed, and ends the service.
 */
function receiveReloads(): (reread: () => Promise<void>) => void {
  const { promise: started, resolve } = Promise.withResolvers<() => Promise<void>>();
  if (!process.stdin.isTTY && !process.stderr.isTTY)
    process.on('SIGHUP', () => void started.then((reread) => reread()));
  return resolve;
}

export const command = defineCommand({
  options: {},
  examples: ['postern serve --server.port=8081 --app.base-url=https://links.example'],
  failure: 'Postern cannot start:',
  load: (sources) => ({ ...loadConfig(sources), reload: () => loadConfig(sources) }),
  run: start,
});
