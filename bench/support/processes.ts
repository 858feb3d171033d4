import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A server under measurement, in a process of its own. */
export type Server = {
  url: string;
  /** Milliseconds from the start of its process until it was ready. */
  readyMs: number;
  /** Resident memory now and at its highest so far, in bytes. */
  memory(): { nowBytes: number; peakBytes: number };
  /** Processor time so far of the whole process, in milliseconds. */
  processorMs(): number;
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A directory for one measurement; the caller removes it. */
export function scratchDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Starts the service with every default on but its port and its places: its log goes to a file, as it does
 * under a service manager.
 */
export async function startService(
  directory: string,
  options: { databasePath?: string; flags?: string[] } = {},
): Promise<Server> {
  const port = await freePort();
  const databasePath = options.databasePath ?? join(directory, 'postern.db');
  return start(
    port,
    [
      '--max-semi-space-size=8', // as `npm start` does
      'src/start.js',
      '--server.host=127.0.0.1',
      `--server.port=${port}`,
      `--app.database.url=sqlite:${databasePath}`,
      `--app.storage.path=${join(directory, 'files')}`,
      ...(options.flags ?? []),
    ],
    join(directory, 'postern.log'),
  );
}

/** Starts one of the bare servers of `bench/baselines.ts`. */
export async function startBaseline(name: string, directory: string): Promise<Server> {
  const port = await freePort();
  return start(port, ['bench/baselines.ts', name, String(port), directory], join(directory, 'baseline.log'));
}

async function start(port: number, args: string[], logPath: string): Promise<Server> {
  const startedAt = performance.now();
  const log = openSync(logPath, 'a');
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', log, 'pipe'] });
  await untilReady(child);
  const readyMs = performance.now() - startedAt;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url: `http://127.0.0.1:${port}`,
    readyMs,
    memory: () => memoryOf(child.pid),
    processorMs: () => processorMsOf(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
      if (said.includes('ready')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`A server ended with code ${code}:\n${said}`)));
  });
}

/** Linux tells both in kB; elsewhere they are not known. */
function memoryOf(pid: number | undefined): { nowBytes: number; peakBytes: number } {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const bytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) * 1024;
  return { nowBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}

const TICK_MS = 10;

function processorMsOf(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
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
