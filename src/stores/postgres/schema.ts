import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../common/error-details.ts';
import { assertSchemaVersion, SCHEMA_VERSION, schemaOf } from '../schema.ts';
import { type Connection, type Connections, NO_TIMEOUT } from './connection.ts';
import { sqlStateOf } from './errors.ts';

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';
/** The errors of an instance that creates a table at the same moment as another one. */
const CONCURRENT_CREATION = ['23505', '42P07', '42710', '40001', '40P01'];
const MAX_TRIES = 20;
const PAUSE_MS = 50;

const SELECT_VERSION = 'SELECT version FROM schema_version';
const LOCK_VERSION = 'SELECT version FROM schema_version FOR UPDATE';
const SET_VERSION = 'UPDATE schema_version SET version = $1';
const CREATE_VERSION = `
  CREATE TABLE IF NOT EXISTS schema_version (
    only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    version  BIGINT NOT NULL
  );
  INSERT INTO schema_version VALUES (1, 0) ON CONFLICT DO NOTHING`;

/**
 * Creates the schema in an empty database. Of instances that start together one locks the version and creates the
 * tables; the others wait for it and find nothing to do. With the schema in place, an instance needs no permission to
 * create tables.
 *
 * @throws when the database has another schema than this program
 */
export async function createSchema(connections: Connections): Promise<void> {
  const isNew = (await connections.withConnection(schemaVersion)) === 0;
  for (let tries = 1; isNew; tries++) {
    try {
      await connections.withConnection(createTables);
      break;
    } catch (error) {
      if (!CONCURRENT_CREATION.includes(sqlStateOf(error) ?? '') || tries >= MAX_TRIES) throw error;
    }
    await pause(PAUSE_MS);
  }
  await connections.withConnection(refuseOtherVersion);
}

/** @throws when a database has another schema than this program, or is no store */
export async function refuseOtherVersion(connection: Connection): Promise<void> {
  assertSchemaVersion(await schemaVersion(connection));
}

/** Returns the number of a database's schema; 0 for one that is no store. */
export async function schemaVersion(connection: Connection): Promise<number> {
  try {
    const [row] = await connection.query<{ version: number }>(SELECT_VERSION);
    return row?.version ?? 0;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}

async function createTables(connection: Connection): Promise<void> {
  await connection.execute(CREATE_VERSION);
  await connection.execute(`BEGIN; ${NO_TIMEOUT}`);
  try {
    const [locked] = await connection.query<{ version: number }>(LOCK_VERSION);
    if (locked?.version === 0) {
      await connection.execute(schemaOf('postgres'));
      await connection.query(SET_VERSION, [SCHEMA_VERSION]);
    }
    await connection.execute('COMMIT');
  } catch (error) {
    await connection.execute('ROLLBACK').catch(() => {}); // the earlier error is the one to report
    if (sqlStateOf(error) !== UNDEFINED_COLUMN) throw error;
    throw new Error(
      `the database has a table of another program with the name of one of Postern's (${messageOf(error)}); name an ` +
        'empty database in app.database.url, or a schema with its option search_path',
      { cause: error },
    );
  }
}
