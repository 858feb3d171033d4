import { setTimeout as pause } from 'node:timers/promises';
import { assertNotNewer, assertSameVersion, readMigrations } from '../migrations.ts';
import { LAST_ID } from '../sql/earlier-entries.ts';
import type { Statement } from '../sql/query.ts';
import { type Connection, type Connections, NO_TIMEOUT, sqlStateOf } from './connection.ts';

const MIGRATIONS = readMigrations(new URL('migrations/', import.meta.url));

const UNDEFINED_TABLE = '42P01';
/** The errors of an instance that creates a table at the same moment as another one. */
const CONCURRENT_CREATION = ['23505', '42P07', '42710', '40001', '40P01'];
const MAX_TRIES = 20;
const PAUSE_MS = 50;

const SELECT_VERSION: Statement = { name: 'schema-version', text: 'SELECT version FROM schema_version' };
const LOCK_VERSION: Statement = {
  name: 'lock-schema-version',
  text: 'SELECT version FROM schema_version FOR UPDATE',
};
const SET_VERSION: Statement = { name: 'set-schema-version', text: 'UPDATE schema_version SET version = $1' };
const CREATE_VERSION = `
  CREATE TABLE IF NOT EXISTS schema_version (
    only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    version  BIGINT NOT NULL
  );
  INSERT INTO schema_version VALUES (1, 0) ON CONFLICT DO NOTHING`;
/** A new store has no entries from before the chains, and instances of the version before do not start on it. */
const SEAL_NEW_STORE = `INSERT INTO sealed_until (id, entry_count) VALUES (CAST('${LAST_ID}' AS UUID), 0)`;

/**
 * Brings a database's schema up to date, all missing migrations in one transaction. Of instances that start together
 * one locks the version and runs the migrations; the others wait for it and find nothing to do.
 *
 * @throws when the database was written by a newer program
 */
export async function migrate(connections: Connections): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await connections.lend(runMigrations);
    } catch (error) {
      if (!CONCURRENT_CREATION.includes(sqlStateOf(error) ?? '') || tries >= MAX_TRIES) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** @throws when a database that is only read has another schema than this program, or is no store */
export async function refuseOtherVersion(connection: Connection): Promise<void> {
  assertSameVersion(await schemaVersion(connection), MIGRATIONS.length);
}

/** Creates the schema in an empty database, if `isCreated`; refuses a store of another version. */
export async function createSchema(
  connections: Connections,
  isCreated: boolean,
): Promise<{ isNew: boolean }> {
  const isNew = isCreated && (await connections.lend(schemaVersion)) === 0;
  await (isNew ? migrate(connections) : connections.lend(refuseOtherVersion));
  return { isNew };
}

/** Returns the number of migrations that were run on a database; 0 for one that is no store. */
export async function schemaVersion(connection: Connection): Promise<number> {
  try {
    const [row] = await connection.query<{ version: number }>(SELECT_VERSION);
    return row?.version ?? 0;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}

async function runMigrations(connection: Connection): Promise<void> {
  const version = await schemaVersion(connection);
  assertNotNewer(version, MIGRATIONS.length);
  // An instance that finds the schema up to date needs no permission to create tables.
  if (version === MIGRATIONS.length) return;
  if (version === 0) await connection.execute(CREATE_VERSION);
  await connection.execute(`BEGIN; ${NO_TIMEOUT}`);
  try {
    const [locked] = await connection.query<{ version: number }>(LOCK_VERSION);
    const lockedVersion = locked?.version ?? 0;
    assertNotNewer(lockedVersion, MIGRATIONS.length);
    for (const migration of MIGRATIONS.slice(lockedVersion)) await connection.execute(migration);
    if (lockedVersion === 0) await connection.execute(SEAL_NEW_STORE);
    await connection.query(SET_VERSION, [MIGRATIONS.length]);
    await connection.execute('COMMIT');
  } catch (error) {
    await connection.execute('ROLLBACK').catch(() => {}); // the earlier error is the one to report
    throw error;
  }
}
