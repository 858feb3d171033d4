import pg from 'pg';
import type { Schema } from './postgres-server.ts';

/** A transaction of a foreign session that holds locks. */
export type HeldLock = AsyncDisposable & { release(): Promise<void> };

/** Executes SQL in a transaction of a session of its own, which stays open until it is released. */
export async function holdLock(schema: Schema, sql: string): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: schema.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(sql);
  let released: Promise<void> | undefined;
  const release = () => (released ??= client.end()); // the database rolls the transaction back
  return { release, [Symbol.asyncDispose]: release };
}
