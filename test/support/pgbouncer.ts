import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Cleanup } from './cleanup.ts';
import { freePort, startCommand, waitForPort } from './process.ts';
import { temporaryDirectory } from './service.ts';

/** PgBouncer of `POSTERN_TEST_PGBOUNCER`, or of the PATH. */
const PROGRAM = process.env['POSTERN_TEST_PGBOUNCER'] ?? 'pgbouncer';
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/** The version such as 1.24; null where there is none. */
export const PGBOUNCER_VERSION = findVersion();
/** The reason for which tests with PgBouncer are skipped; false when they run. */
export const WITHOUT_PGBOUNCER =
  PGBOUNCER_VERSION === null && 'no pgbouncer on the PATH and none named by POSTERN_TEST_PGBOUNCER';
/** The reason for which tests that need prepared statements in transaction mode are skipped; false when they run. */
export const WITHOUT_PREPARED =
  WITHOUT_PGBOUNCER ||
  ((PGBOUNCER_VERSION ?? 0) < 1.21 && `pgbouncer ${PGBOUNCER_VERSION} is older than 1.21`);

function findVersion(): number | null {
  try {
    const text = execFileSync(PROGRAM, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(/PgBouncer (\d+\.\d+)/.exec(text)?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}

/** Starts PgBouncer in front of the server of `url`. Returns that URL with its port. */
export async function startPgbouncer(
  t: Cleanup,
  url: string,
  settings: Record<string, string>,
): Promise<string> {
  const directory = temporaryDirectory(t);
  const { hostname, port, username, password } = new URL(url);
  const own = await freePort();
  const config = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(directory, 'users'),
    ...settings,
  };
  const lines = Object.entries(config).map(([name, value]) => `${name} = ${value}`);
  const configFile = join(directory, 'pgbouncer.ini');
  writeFileSync(config.auth_file, `"${username}" "${password}"\n`);
  writeFileSync(
    configFile,
    ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  const isRoot = process.getuid?.() === 0;
  chmodSync(directory, 0o755);
  if (isRoot) chownSync(directory, NOBODY, NOBODY);
  const running = startCommand(t, [PROGRAM, configFile], isRoot ? { uid: NOBODY, gid: NOBODY } : {});
  await Promise.race([
    waitForPort(own),
    running.exited.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  const pooled = new URL(url);
  pooled.port = String(own);
  return pooled.href.replaceAll('+', '%20');
}
