import type { FastifyInstance } from 'fastify';
import { readConfig, refuse } from './commands/command.ts';
import { composeService, type Service } from './compose.ts';
import type { Config } from './config/config.ts';
import { createLog, type Log } from './observability/log.ts';
import { VERSION } from './version.ts';

/** After so long a stop no longer waits for slow clients: their answers are committed, and cut off. */
const STOP_WITHIN_MS = 9_000;
/** "Within ten seconds", whatever hangs. */
const STOP_AT_LAST_MS = 9_900;

const startedAt = performance.now();
const { config, warnings } = readConfig('Postern: the service.');
const log = createLog(config.logLevel);
try {
  const service = await composeService(config, log, { onThreadDeath });
  await listen(service.app, config);
  stopOnSignal(service, log);
  await Promise.race([service.startJobs(), service.jobsAreRunning]);
  if (!service.hasPages) warnings.push('the pages are not built, `npm run build` builds them');
  announce(config, warnings, log);
} catch (error) {
  log.flush();
  refuse('Postern cannot start:', [explain(error, config)]);
}

function explain(error: unknown, { host, port }: Config): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `port ${port} is taken by another program; choose another with --server.port=…`;
  if (code === 'EACCES' && 'port' in error) return `port ${port} on ${host} may not be opened by this user`;
  return error.message;
}

/** Listens on the configured address; where the machine has no IPv6, "all interfaces" are those of IPv4. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (host !== '::' || (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL')) throw error;
    await app.listen({ host: '0.0.0.0', port });
  }
}

/** Whoever runs the service starts it again, on a store that lacks nothing that was acknowledged. */
function onThreadDeath(error: Error): never {
  log.write('fatal', 'unexpected_error', { err: error });
  log.flush();
  process.exit(1);
}

/** For a person at the terminal; the log of JSON lines on standard output is for programs. */
function announce({ baseUrl }: Config, warnings: string[], log: Log): void {
  const readyMs = Math.round(performance.now() - startedAt);
  log.write('info', 'service_started', { version: VERSION, baseUrl, readyMs });
  for (const warning of warnings) log.write('warn', 'service_warning', { warning });
  process.stderr.write(
    [
      `Postern ${VERSION} is ready after ${readyMs} ms`,
      `  Page       ${baseUrl}/`,
      `  Reference  ${baseUrl}/docs`,
      `  Health     ${baseUrl}/actuator/health`,
      `  Metrics    ${baseUrl}/actuator/prometheus`,
      ...warnings.map((warning) => `  Warning: ${warning}`),
      '',
    ].join('\n'),
  );
}

function stopOnSignal(service: Service, log: Log): void {
  async function stop(signal: NodeJS.Signals): Promise<void> {
    log.write('info', 'service_stopping', { signal });
    const cutOff = setTimeout(() => service.app.server.closeAllConnections(), STOP_WITHIN_MS);
    const giveUp = setTimeout(() => {
      log.write('fatal', 'unexpected_error', { err: new Error('The service did not stop in time') });
      log.flush();
      process.exit(1);
    }, STOP_AT_LAST_MS);
    await service.stop();
    clearTimeout(giveUp);
    clearTimeout(cutOff);
    log.write('info', 'service_stopped', {});
    log.flush();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.write('fatal', 'unexpected_error', { err: error });
        log.flush();
        process.exit(1);
      });
    });
  }
}
