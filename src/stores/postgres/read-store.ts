import type { PostgresLocation } from '../../locations.ts';
import { addProjection, createProjection, parseProjection } from '../projection.ts';
import { POSTGRES, type Statement, type StoreMoment, type StoreRead } from '../sql/query.ts';
import { type Connection, NO_TIMEOUT, openConnections } from './connection.ts';
import { assertAllMonths } from './partitions.ts';
import { refuseOtherVersion, schemaVersion } from './schema.ts';
import { createStream } from './stream.ts';

const SELECT_QUEUE: Statement = {
  name: 'select-projection-queue',
  text: 'SELECT changes FROM projection_queue WHERE NOT is_rejected ORDER BY first_seq',
};

/** Returns whether a database has the tables of a store. */
export async function hasPostgresStore(options: PostgresLocation): Promise<boolean> {
  await using connections = openConnections(options, 1);
  return (await connections.lend(schemaVersion)) > 0;
}

/**
 * Reads one moment of a store, also while services run: what is committed meanwhile is not seen. The connection has no
 * time-out, because reading years of audit takes long.
 *
 * @throws when the database cannot be reached, or holds no store of this version
 */
export async function readPostgresStore<T>(options: PostgresLocation, read: StoreRead<T>): Promise<T> {
  await using connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  return await connections.lend(async (connection) => {
    await refuseOtherVersion(connection);
    await connection.execute(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${NO_TIMEOUT}`);
    try {
      return await read(await readMoment(connection));
    } finally {
      await connection.execute('ROLLBACK').catch(() => {}); // an earlier error is the one to report
    }
  });
}

/** Returns the moment of a transaction. */
export async function readMoment(connection: Connection): Promise<StoreMoment> {
  const { query } = connection;
  const pending = createProjection();
  for (const { changes } of await query<{ changes: string }>(SELECT_QUEUE))
    addProjection(pending, parseProjection(changes));
  const assertWhole = () => assertAllMonths(query);
  return { query, dialect: POSTGRES, stream: createStream(connection), pending, assertWhole };
}
