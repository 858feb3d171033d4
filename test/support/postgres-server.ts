import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A PostgreSQL server of this test's own, which it can take away and give back. */
export type OwnServer = {
  /** A database of the server, with the rights to do anything. */
  url: string;
  /** Ends it at once, as a crash would; resolves when nothing of it runs any more. */
  crash(): Promise<void>;
  /** Starts it again; resolves when it takes connections. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

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
    start: () => command(child, 'start', next),
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

async function command(
  child: ChildProcessByStdio<Writable, Readable, null>,
  name: 'crash' | 'start',
  next: () => Promise<string>,
): Promise<void> {
  child.stdin.write(`${name}\n`);
  await next();
}

let ownShared: Promise<OwnServer> | undefined;
// At the root of the file that imports this: a hook that a test adds runs when that test ends.
after(async () => (await ownShared)?.stop());

/** The server that the tests of one file share: that of `TEST_DATABASE_URL`, or one that is started for them. */
export async function sharedServerUrl(): Promise<string> {
  const { TEST_DATABASE_URL } = process.env;
  if (TEST_DATABASE_URL) return TEST_DATABASE_URL;
  // It is never killed, so nothing depends on what it has flushed.
  ownShared ??= startOwnServer('-c', 'fsync=off');
  return (await ownShared).url;
}

/** A schema of its own in a server's database: as good as an empty database, and faster to make. */
export type Schema = AsyncDisposable & {
  name: string;
  /** Connections by this URL see this schema alone. */
  url: string;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
};

export async function createSchema(serverUrl?: string): Promise<Schema> {
  const url = new URL(serverUrl ?? (await sharedServerUrl()));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  url.searchParams.set('options', `-c search_path=${name}`);
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on('error', () => {}); // tests that crash the server break idle connections
  await pool.query(`CREATE SCHEMA ${name}`);
  return {
    name,
    url: url.href.replaceAll('+', '%20'),
    async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
      return (await pool.query<Row>(sql, values)).rows;
    },
    async [Symbol.asyncDispose]() {
      await pool.query(`DROP SCHEMA ${name} CASCADE`);
      await pool.end();
    },
  };
}
