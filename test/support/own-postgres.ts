import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A PostgreSQL server of its own, which a test can crash and start again. */
export type OwnServer = {
  /** The URL of a database of the server, for a superuser. */
  url: string;
  /** Ends it at once, as a crash would; resolves when none of its processes runs. */
  crash(): Promise<void>;
  /** Copies its data. It must be down. */
  save(): Promise<void>;
  /** Goes back to the data of `save`. It must be down. */
  restore(): Promise<void>;
  /** Starts it again; resolves when it takes connections. */
  start(): Promise<void>;
  /** Stops it as an administrator does: each session is ended with a message. */
  shutDown(): Promise<void>;
  /** Stops all its processes (SIGSTOP): it keeps its connections and is silent. Linux only. */
  freeze(): Promise<void>;
  /** Lets them continue. */
  thaw(): Promise<void>;
  stop(): Promise<void>;
};

/** The first flag of a server whose data may be in memory: the service refuses one with `fsync=off`. */
export const IN_MEMORY = '--in-memory';

/** The commands that the process of the server takes, one a line. */
export type ServerCommand = Exclude<keyof OwnServer, 'url' | 'stop'>;

const SCRIPT = fileURLToPath(new URL('postgres-process.ts', import.meta.url));

export async function startOwnServer(...serverFlags: string[]): Promise<OwnServer> {
  const child = spawn(process.execPath, [SCRIPT, ...serverFlags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The PostgreSQL server of the tests could not be started');
    return value;
  };
  const url = await next();
  return {
    url,
    crash: () => command(child, 'crash', next),
    save: () => command(child, 'save', next),
    restore: () => command(child, 'restore', next),
    start: () => command(child, 'start', next),
    shutDown: () => command(child, 'shutDown', next),
    freeze: () => command(child, 'freeze', next),
    thaw: () => command(child, 'thaw', next),
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

async function command(
  child: ChildProcessByStdio<Writable, Readable, null>,
  name: ServerCommand,
  next: () => Promise<string>,
): Promise<void> {
  child.stdin.write(`${name}\n`);
  await next();
}
