import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CREDENTIALS } from '../../test/support/s3-server.ts';

/** A measured server in a process of its own. */
export type Server = {
  url: string;
  pid: number;
  /** Holds its files; its standard output is in a file of this name with `.log`. */
  directory: string;
  /** Returns the resident memory now and its peak so far. */
  memory(): { nowBytes: number; peakBytes: number };
  /** Returns the CPU time of the process so far. */
  processorMs(): number;
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns what `npm start` passes to Node in a checkout. */
function startArguments(checkout: string): { nodeFlags: string[]; entry: string[] } {
  const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
  const { scripts }: { scripts: { start: string } } = JSON.parse(read('package.json'));
  const launcher = /^exec "\$node" (.*) "\$root\/(.*)" "\$@"$/m.exec(read('bin/postern'));
  const command = scripts.start.replace('bin/postern', launcher ? `node ${launcher[1]} ${launcher[2]}` : '');
  const words = command.split(' ').slice('exec node'.split(' ').length);
  const entryAt = words.findIndex((word) => word.endsWith('.js'));
  return { nodeFlags: words.slice(0, entryAt), entry: words.slice(entryAt) };
}

/** A key with all scopes, which every service of the benchmarks has. */
export const KEY = 'key-of-benchmarks-'.repeat(2);

/** The differences from the usual start of the service. */
export type ServiceSettings = {
  flags?: readonly string[] | undefined;
  /** Further flags for Node. */
  nodeFlags?: readonly string[];
  env?: Readonly<Record<string, string>> | undefined;
  /** Replaces `postern.db` in the directory. */
  databaseUrl?: string | undefined;
  /** Replaces the service's entry file. */
  program?: string | undefined;
  /** Replaces this checkout by another one. */
  checkout?: string | undefined;
};

/**
 * Starts the service with all defaults except for its host, port, locations and initial key. Its log goes to a file, as it
 * does under a service manager.
 */
export async function startService(directory: string, settings: ServiceSettings = {}): Promise<Server> {
  const { flags = [], env, databaseUrl = `sqlite:${join(directory, 'postern.db')}` } = settings;
  const { checkout = root, nodeFlags: moreNodeFlags = [] } = settings;
  const { nodeFlags, entry } = startArguments(checkout);
  const port = await freePort();
  const args = [
    ...nodeFlags,
    ...moreNodeFlags,
    ...(settings.program === undefined ? entry : [settings.program]),
    '--server.host=127.0.0.1',
    `--server.port=${port}`,
    `--app.database.url=${databaseUrl}`,
    `--app.storage.path=${join(directory, 'files')}`,
    `--app.access.initial-key=${KEY}`,
    ...flags,
  ];
  return (await start(port, { directory, args, env, checkout })).server;
}

/** Starts an S3 server with an empty bucket. Returns it with the flags and credentials for a service. */
export async function startS3(directory: string): Promise<S3Process> {
  const { server, printed } = await start(0, { directory, args: ['bench/s3-server.ts'] });
  const flags = printed.split('\n').filter((line) => line.startsWith('--'));
  return { server, flags, env: CREDENTIALS };
}
export type S3Process = { server: Server; flags: readonly string[]; env: Readonly<Record<string, string>> };

/** Starts one of the bare servers of `bench/baselines.ts`; `rest` are further arguments. */
export async function startBaseline(name: string, directory: string, ...rest: string[]): Promise<Server> {
  const port = await freePort();
  const args = ['bench/baselines.ts', name, String(port), directory, ...rest];
  return (await start(port, { directory, args })).server;
}

type Program = {
  directory: string;
  args: string[];
  env?: Readonly<Record<string, string>> | undefined;
  checkout?: string;
};

/** Starts a program of the project. Returns it with what it printed on standard error until it was ready. */
async function start(
  port: number,
  { directory, args, env = {}, checkout = root }: Program,
): Promise<{ server: Server; printed: string }> {
  mkdirSync(directory, { recursive: true });
  const log = openSync(`${directory}.log`, 'a'); // not next to a database, which is created in an empty directory
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const printed = await waitUntilReady(child);
  const server: Server = {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    directory,
    memory: () => memoryOf(child.pid),
    processorMs: () => processorMsOf(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
  return { server, printed };
}

function waitUntilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('ready')) resolve(printed);
    });
    child.once('exit', (code) => reject(new Error(`A server ended with code ${code}:\n${printed}`)));
  });
}

/** Linux reports both in kB; on other systems they are NaN. */
function memoryOf(pid: number | undefined): { nowBytes: number; peakBytes: number } {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const bytes = (line: RegExp) => Number(line.exec(status)?.[1] ?? Number.NaN) * 1024;
  return { nowBytes: bytes(/VmRSS:\s+(\d+)/), peakBytes: bytes(/VmHWM:\s+(\d+)/) };
}

const TICK_MS = 10;

/** Returns the CPU time of a process so far, optionally with that of its ended children. */
export function processorMsOf(pid: number, { withChildren = false } = {}): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = withChildren ? fields.slice(11, 15) : fields.slice(11, 13);
  return ticks.reduce((sum, field) => sum + Number(field), 0) * TICK_MS;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
