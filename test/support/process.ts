import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from './cleanup.ts';
import { assertNoSecrets } from './log-secrets.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_PORT_TRIES = 10;

/** The end of a process, and all its output. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/** A process of a test, which ends with the test at the latest. */
export type Running = {
  pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Stops reading the standard output, so that the process writes into a full pipe. Returns a function that reads on. */
  pauseOutput(): () => void;
  exited: Promise<Exit>;
  /** The output so far. */
  output: Readonly<{ stdout: string; stderr: string }>;
  /** Resolves once the output meets `condition`; rejects when the process ends before. */
  waitForOutput(condition: (output: { stdout: string; stderr: string }) => boolean): Promise<void>;
};

/** The service in a process of its own, ready for requests. */
export type ServiceProcess = Running & {
  url: string;
  databasePath: string;
  storagePath: string;
};

/** Variables of `npm test` for the programs that tests start: the bundle of the sources, and the cache of compiled code. */
export const QUICK_STARTS = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => ['NODE_COMPILE_CACHE', 'NODE_OPTIONS'].includes(name)),
);

/** Starts a program of the project with `env` as its whole environment, but for what makes starts quick. */
export function startProgram(
  t: Cleanup,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = PROJECT,
): Running {
  return startCommand(t, [process.execPath, ...args], { cwd, env: { ...QUICK_STARTS, ...env } });
}

/** Starts any command. If it is the service, the test fails when the output holds a secret. */
export function startCommand(t: Cleanup, command: readonly string[], options: SpawnOptions): Running {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const running = watch(child);
  t.after(async () => {
    child.kill('SIGKILL');
    const { stdout, stderr } = await running.exited;
    // The first start shows a person where to set the first password.
    if (command.includes('serve')) assertNoSecrets(stdout + stderr.replace(/^ {2}Sign in .*$/m, ''));
  });
  return running;
}

/** Collects the output of a process, from now on. */
function watch(child: ChildProcessByStdio<null, Readable, Readable>): Running {
  const output = { stdout: '', stderr: '' };
  const checks = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const check of [...checks]) check();
    });
  }
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    // `close`, not `exit`: by then all output has been read.
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return {
    pid: child.pid ?? 0,
    exited,
    output,
    signal: (signal) => void child.kill(signal),
    pauseOutput() {
      child.stdout.pause();
      return () => void child.stdout.resume();
    },
    waitForOutput(condition) {
      return new Promise((resolve, reject) => {
        const check = (): void => {
          if (!condition(output)) return;
          checks.delete(check);
          resolve();
        };
        checks.add(check);
        check();
        exited.then(
          ({ code, signal, stderr }) => reject(new Error(`ended with ${code ?? signal}: ${stderr}`)),
          reject,
        );
      });
    },
  };
}

/** Flags for a test whose clients send many requests for links that do not exist, or wrong passwords. */
export const NO_GUESS_LIMITS = ['--app.limits.unknown-codes=none', '--app.limits.wrong-passwords=none'];

/** Returns flags to keep a service's data in `directory` and listen on this port of the loopback. */
export function serviceFlags(
  directory: string,
  port: number,
  databaseUrl = `sqlite:${join(directory, 'postern.db')}`,
): string[] {
  return [
    '--server.host=127.0.0.1',
    `--server.port=${port}`,
    `--app.database.url=${databaseUrl}`,
    `--app.storage.path=${join(directory, 'files')}`,
  ];
}

/** Below the ports that systems give to connections and to programs that ask for any, so that none of these takes it meanwhile. */
const FREE_PORTS = [10_000, 32_000] as const;

/** Returns a port on which nothing listens at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...FREE_PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await server[Symbol.asyncDispose]();
    return port;
  }
}

/** Resolves once a program listens on a port of the loopback. */
export async function waitForPort(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await pause(20);
    } finally {
      socket.destroy();
    }
  }
}

/** True when the output of a service says that it is ready for requests. */
export const isReady = ({ stderr }: { stderr: string }): boolean => / is ready after .*\n/.test(stderr);

/** Starts the service on the data in `directory` and waits until it is ready. */
export async function startServiceProcess(
  t: Cleanup,
  directory: string,
  options: {
    flags?: string[];
    nodeFlags?: string[];
    databaseUrl?: string;
    /** By default any that is free. */
    port?: number;
    env?: Record<string, string>;
    cwd?: string;
  } = {},
): Promise<ServiceProcess> {
  const { flags = [], nodeFlags = [], databaseUrl, env, cwd } = options;
  for (let tries = 1; ; tries++) {
    const port = options.port ?? (await freePort());
    const entry = join(PROJECT, 'cli/main.ts');
    const args = [...nodeFlags, entry, 'serve', ...serviceFlags(directory, port, databaseUrl), ...flags];
    const running = startProgram(t, args, env, cwd);
    try {
      await running.waitForOutput(isReady);
    } catch (error) {
      // Another program may have taken the port in the meantime.
      if (tries < MAX_PORT_TRIES && String(error).includes('is taken by another program')) continue;
      throw error;
    }
    return {
      ...running,
      url: `http://127.0.0.1:${port}`,
      databasePath: join(directory, 'postern.db'),
      storagePath: join(directory, 'files'),
    };
  }
}

/** Returns the parsed lines of a log, without a last line that is incomplete. */
export function logLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
