import type { PostgresLocation } from '../../common/locations.ts';
import {
  POSTGRES,
  STREAMED_ROWS,
  type Statement,
  type StoreMoment,
  type StoreRead,
  type Stream,
} from '../sql/query.ts';
import { beginSearchCheck } from './check-search.ts';
import { type Connection, NO_TIMEOUT, openConnections } from './connection.ts';
import { findDetachedMonths } from './partitions.ts';
import { parseChanges, type QueuedRow, SELECT_QUEUE } from './queue.ts';
import { refuseOtherVersion, schemaVersion } from './schema.ts';

const SELECT_STATUSES = `SELECT key AS status, CAST(value AS BIGINT) AS count
         FROM projection_queue, jsonb_each_text(CAST(changes AS JSONB) -> 'statuses')`;

/** Returns whether a database has the tables of a store. */
export async function hasPostgresStore(options: PostgresLocation): Promise<boolean> {
  await using connections = openConnections(options, 1);
  return (await connections.withConnection(schemaVersion)) > 0;
}

/**
 * Reads one moment of a store, also while services run: what is committed meanwhile is not seen. The connection has no
 * time-out, because reading years of audit takes long.
 *
 * @throws when the database cannot be reached, or holds no store of this version
 */
export async function readPostgresStore<T>(options: PostgresLocation, read: StoreRead<T>): Promise<T> {
  await using connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  return await connections.withConnection(async (connection) => {
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
  const views = new Map<string, number>();
  for (const row of await query<QueuedRow>(SELECT_QUEUE))
    for (const [shortCode, count] of parseChanges(row).views) views.set(shortCode, count);
  const pending = { views, statuses: SELECT_STATUSES };
  const detached = await findDetachedMonths(query);
  const stream = createStream(connection);
  return {
    query,
    dialect: POSTGRES,
    stream,
    beginSearchCheck: () => beginSearchCheck(query),
    pending,
    detached,
  };
}

/**
 * The planner expects that a cursor reads a tenth of its rows. It would read a large table by an index, in random order.
 */
const EXPECT_ALL_ROWS = `SELECT set_config(name, '1', true) FROM pg_settings WHERE name = 'cursor_tuple_fraction'`;

/** Returns a function that streams rows, within the transaction that the connection is in. */
function createStream(connection: Connection): Stream {
  let count = 0;
  return async function* <Row extends object>(statement: Statement) {
    const cursor = `cursor_${++count}`;
    await connection.query(EXPECT_ALL_ROWS);
    await connection.execute(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${statement}`);
    const fetch = `FETCH ${STREAMED_ROWS} FROM ${cursor}`;
    for (;;) {
      const rows = await connection.query<Row>(fetch);
      yield rows;
      if (rows.length < STREAMED_ROWS) break;
    }
    await connection.execute(`CLOSE ${cursor}`);
  };
}
