import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { watchHelper } from './helper-process.ts';

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
  /** Rejects when the server ends although nothing ended it. */
  lost: Promise<never>;
};

/** The first flag of a server whose data may be in memory: the service refuses one with `fsync=off`. */
export const IN_MEMORY = '--in-memory';

/** The beginning of the first flag of a server that follows the one at a URL, as a hot standby. */
export const STANDBY_OF = '--standby-of=';

/** The commands that the process of the server takes, one a line. */
export type ServerCommand = Exclude<keyof OwnServer, 'url' | 'stop' | 'lost'>;

const SCRIPT = fileURLToPath(new URL('postgres-process.ts', import.meta.url));

export async function startOwnServer(...serverFlags: string[]): Promise<OwnServer> {
  const child = spawn(process.execPath, [SCRIPT, ...serverFlags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { next, end, lost } = watchHelper(child, 'The PostgreSQL server of the tests');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function readLine(): Promise<string> {
    const { value, done } = await lines.next();
    return done ? lost : value;
  }
  async function command(name: ServerCommand): Promise<void> {
    child.stdin.write(`${name}\n`);
    await next(name, readLine());
  }
  const url = await next('the start', readLine()).catch((error: unknown) => {
    child.stdin.end(); // it ends once it has started, and does not keep the process of the test
    throw error;
  });
  return {
    url,
    crash: () => command('crash'),
    save: () => command('save'),
    restore: () => command('restore'),
    start: () => command('start'),
    shutDown: () => command('shutDown'),
    freeze: () => command('freeze'),
    thaw: () => command('thaw'),
    stop: end,
    lost,
  };
}
