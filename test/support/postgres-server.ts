import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { after } from 'node:test';
import pg from 'pg';
import { codeOf } from '../../src/common/error-details.ts';
import type { Cleanup } from './cleanup.ts';
import { IN_MEMORY, type OwnServer, startOwnServer } from './own-postgres.ts';

let ownShared: Promise<OwnServer> | undefined;
// At the root of the file that imports this: a hook that a test adds runs when that test ends.
after(async () => (await ownShared)?.stop());

/** The server that the tests of one file share: that of `TEST_DATABASE_URL`, or one that is started for them. */
export async function sharedServerUrl(): Promise<string> {
  const { TEST_DATABASE_URL } = process.env;
  if (TEST_DATABASE_URL) return TEST_DATABASE_URL;
  ownShared ??= startOwnServer(IN_MEMORY);
  return (await ownShared).url;
}

/** A schema of its own in a server's database: like an empty database, and faster to create. */
export type Schema = AsyncDisposable & {
  name: string;
  /** Connections with this URL see only this schema. */
  url: string;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Closes its connections, and leaves it to a server that ends with its test. */
  close(): Promise<void>;
};

export async function createSchema(serverUrl?: string): Promise<Schema> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const schema = openSchema(serverUrl ?? (await sharedServerUrl()), name);
  await schema.query(`CREATE SCHEMA ${name}`);
  return schema;
}

/** Connects to a schema that exists, or is about to. */
export function openSchema(serverUrl: string, name: string): Schema {
  const url = new URL(serverUrl);
  url.searchParams.set('options', `-c search_path=${name}`);
  const forPool = new URL(url);
  // As the service and libpq read it: without this, `pg` treats each sslmode as verify-full.
  forPool.searchParams.set('uselibpqcompat', 'true');
  const pool = new pg.Pool({ connectionString: forPool.href, max: 2 });
  pool.on('error', () => {}); // tests that crash the server break idle connections
  return {
    name,
    url: url.href.replaceAll('+', '%20'),
    async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
      return (await pool.query<Row>(sql, values)).rows;
    },
    close: () => pool.end(),
    async [Symbol.asyncDispose]() {
      await dropSchema(pool, name);
      await pool.end();
    },
  };
}

const DEADLOCK = '40P01';

/** Drops a schema. Hooks of a test run in the order of their creation, so a service may still use its tables. */
async function dropSchema(pool: pg.Pool, name: string): Promise<void> {
  try {
    await pool.query(`DROP SCHEMA ${name} CASCADE`);
  } catch (error) {
    if (codeOf(error) !== DEADLOCK) throw error;
    await dropSchema(pool, name);
  }
}

/** Creates a schema that is dropped when the test is over. */
export async function temporarySchema(t: Cleanup): Promise<Schema> {
  const schema = await createSchema();
  t.after(async () => schema[Symbol.asyncDispose]());
  return schema;
}
