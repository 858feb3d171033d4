import { VERSION } from '../../common/version.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../observability/log.ts';
import { toPrintable } from './terminal.ts';

type Output = { isTTY?: boolean; write(text: string): unknown };

type Announcement = Pick<Config['server'], 'host' | 'managementPort'> & {
  baseUrl: string;
  /** The database, if this start has created it. */
  newDatabase: string | null;
  /** The address at which the first administrator sets a password. It is a secret, so no log has it. */
  firstSignIn: string | null;
  readyMs: number;
  warnings: readonly string[];
};

/**
 * Logs that the service has started, and prints its addresses on standard error for a person at a terminal.
 *
 * Each reader sees each warning once. A log collector gets it as a `service_warning`, and the banner, which
 * it often collects too, leaves it out. A person at a terminal gets it in the banner, in plain text; it is
 * not logged as well where the log is printed on the same terminal.
 */
export function announceStart(
  { baseUrl, host, managementPort, newDatabase, firstSignIn, readyMs, warnings }: Announcement,
  { log, stdout, stderr }: { log: Log; stdout: Output; stderr: Output },
): void {
  const printsWarnings = stderr.isTTY === true;
  const logsWarnings = !(printsWarnings && stdout.isTTY === true);
  // app.base-url belongs to the public port; the other one is usually reached from the machine itself.
  const name = ['::', '0.0.0.0'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const managementUrl = managementPort === null ? baseUrl : `http://${name}:${managementPort}`;
  log.write('info', 'service_started', { version: VERSION, baseUrl, readyMs });
  if (logsWarnings) for (const warning of warnings) log.write('warn', 'service_warning', { warning });
  const lines = [
    `Postern ${VERSION} is ready after ${readyMs} ms`,
    ...(newDatabase === null ? [] : [`  Database   ${newDatabase} is new: there was none`]),
    `  New link   ${baseUrl}/`,
    `  Links      ${baseUrl}/links`,
    `  Dashboard  ${managementUrl}/dashboard`,
    `  API docs   ${managementUrl}/docs`,
    `  Health     ${managementUrl}/actuator/health`,
    `  Metrics    ${managementUrl}/actuator/prometheus`,
    ...(firstSignIn === null
      ? []
      : [
          `  Sign in    ${firstSignIn}`,
          '             sets the password of the person admin, once and within 24 hours',
        ]),
    ...(printsWarnings ? warnings.map((warning) => `  Warning: ${warning}`) : []),
    '',
  ];
  stderr.write(toPrintable(lines.join('\n')));
}
