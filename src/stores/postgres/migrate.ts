import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Statement } from '../sql/query.ts';
import { type Connection, type Connections, sqlStateOf } from './connection.ts';

const MIGRATIONS = new URL('migrations/', import.meta.url);

const UNDEFINED_TABLE = '42P01';
/** What an instance meets that makes a table at the very moment in which another one does. */
const MADE_MEANWHILE = ['23505', '42P07', '42710', '40001', '40P01'];
const MAX_TRIES = 20;
const PAUSE_MS = 50;

const SELECT_VERSION: Statement = { name: 'schema-version', text: 'SELECT version FROM schema_version' };
const LOCK_VERSION: Statement = {
  name: 'lock-schema-version',
  text: 'SELECT version FROM schema_version FOR UPDATE',
};
const SET_VERSION: Statement = { name: 'set-schema-version', text: 'UPDATE schema_version SET version = $1' };
const MAKE_VERSION = `
  CREATE TABLE IF NOT EXISTS schema_version (
    only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    version  BIGINT NOT NULL
  );
  INSERT INTO schema_version VALUES (1, 0) ON CONFLICT DO NOTHING`;

/**
 * Brings a database's schema to this program's, all missing steps in one transaction. Of instances that start
 * together, one holds the row of the version and takes the steps; the others wait for it and find nothing to do.
 *
 * @throws when the database was written by a newer program: it might count by rules unknown to this one
 */
export async function migrate(connections: Connections): Promise<void> {
  const steps = readdirSync(MIGRATIONS).sort();
  for (let tries = 1; ; tries++) {
    try {
      return await connections.lend((connection) => takeSteps(connection, steps));
    } catch (error) {
      if (!MADE_MEANWHILE.includes(sqlStateOf(error) ?? '') || tries >= MAX_TRIES) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** For whoever only reads a database, and so cannot bring its schema up to date. */
export async function refuseOtherVersion(connection: Connection): Promise<void> {
  const version = await schemaVersion(connection);
  const known = readdirSync(MIGRATIONS).length;
  if (version === 0) throw new Error('this database is not a store of Postern');
  if (version === known) return;
  throw new Error(
    `the database has schema version ${version}, this program ${known}: ` +
      'start the service of this version on it once, which brings it up to date, and stop it',
  );
}

/** The number of migrations that a database has had; 0 where it is no store. */
export async function schemaVersion(connection: Connection): Promise<number> {
  try {
    const [row] = await connection.query<{ version: number }>(SELECT_VERSION);
    return row?.version ?? 0;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}

async function takeSteps(connection: Connection, steps: readonly string[]): Promise<void> {
  const version = await schemaVersion(connection);
  refuseNewer(version, steps.length);
  // Whoever finds all done needs no right to make tables.
  if (version === steps.length) return;
  if (version === 0) await connection.execute(MAKE_VERSION);
  await connection.execute('BEGIN');
  try {
    const [locked] = await connection.query<{ version: number }>(LOCK_VERSION);
    const found = locked?.version ?? 0;
    refuseNewer(found, steps.length);
    for (const step of steps.slice(found)) {
      await connection.execute(readFileSync(new URL(step, MIGRATIONS), 'utf8'));
    }
    await connection.query(SET_VERSION, [steps.length]);
    await connection.execute('COMMIT');
  } catch (error) {
    await connection.execute('ROLLBACK').catch(() => {}); // what failed is what is told
    throw error;
  }
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new Error(
    `The database has schema version ${version}, this program knows up to ${known}. ` +
      'It was written by a newer version of Postern: start that one, or restore a backup from before it.',
  );
}
