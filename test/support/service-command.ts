import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CommandCall, CommandResult } from './command-host.ts';
import { QUICK_STARTS } from './process.ts';

// A process of a command takes 0.4 s of processor time, most of it to load modules. The tests of a file share one.

const SCRIPT = fileURLToPath(new URL('command-host.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Removes what a command says while it waits for a service of a busy machine. */
export const withoutWaiting = <Ended extends { stderr: string }>(ended: Ended): Ended => ({
  ...ended,
  stderr: ended.stderr.replace('The service has not responded yet. Waiting for it.\n', ''),
});

type Host = {
  child: ChildProcess;
  ended: Promise<never>;
  waiting: Map<number, (result: CommandResult) => void>;
};

const hosts = new Map<string, Host>();
let lastId = 0;
after(() => {
  for (const { child } of hosts.values()) if (child.connected) child.disconnect();
});

/** A busy machine may need long to connect. */
const DEFAULTS = { APP_DATABASE_MUST_EXIST: 'false', APP_DATABASE_CONNECT_TIMEOUT: 'PT1M' };

/**
 * Runs a command of the service to its end, with `env` as its whole environment, in which it creates its database unless that is given, in a process that the test file keeps
 * for such commands. A test needs `startProgram` for a signal, for standard input, and for a command that does not end.
 */
export function runServiceCommand(
  argv: readonly string[],
  env: Record<string, string> = DEFAULTS,
): Promise<CommandResult> {
  const name = JSON.stringify(env);
  const host = hosts.get(name) ?? startHost(env);
  hosts.set(name, host);
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const id = ++lastId;
  host.waiting.set(id, resolve);
  host.child.send({ id, argv } satisfies CommandCall);
  return Promise.race([promise, host.ended]);
}

function startHost(env: Record<string, string>): Host {
  const child = fork(SCRIPT, {
    cwd: ROOT,
    env: { ...QUICK_STARTS, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting: Host['waiting'] = new Map();
  child.on('message', (result: CommandResult) => {
    waiting.get(result.id)?.(withoutWaiting(result));
    waiting.delete(result.id);
  });
  const ended = once(child, 'exit').then(([code, signal]): never => {
    throw new Error(`the process of commands ended with ${code ?? signal}`);
  });
  ended.catch(() => {});
  return { child, ended, waiting };
}
