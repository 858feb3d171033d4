import { DatabaseSync } from 'node:sqlite';
import { openConnections } from '../../src/stores/postgres/connection.ts';
import { readMoment as readPostgresMoment } from '../../src/stores/postgres/read-store.ts';
import { type Recount, recountStore } from '../../src/stores/sql/recount.ts';
import { readMoment as readSqliteMoment } from '../../src/stores/sqlite/read-store.ts';
import type { PostgresOptions } from './postgres-options.ts';

/** Recounts a store in a transaction that runs SQL first, which no check of the database stops, and is rolled back. */
export async function recountSqliteAfter(path: string, sql: string): Promise<Recount> {
  using db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec('PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF');
  db.exec(`BEGIN; ${sql}`);
  const recount = await recountStore(readSqliteMoment(db));
  db.exec('ROLLBACK');
  return recount;
}

/** Does the same on PostgreSQL. */
export async function recountPostgresAfter(options: PostgresOptions, sql: string): Promise<Recount> {
  await using connections = openConnections(options, 1);
  return await connections.withConnection(async (connection) => {
    await connection.execute(`BEGIN; ALTER TABLE link DROP CONSTRAINT link_check; ${sql}`);
    const recount = await recountStore(await readPostgresMoment(connection));
    await connection.execute('ROLLBACK');
    return recount;
  });
}
