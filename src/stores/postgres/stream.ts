import { STREAMED_ROWS, type Statement, type Stream } from '../sql/query.ts';
import type { Connection } from './connection.ts';

/**
 * The planner expects that a cursor reads a tenth of its rows. It would read a large table by an index, in random order.
 * CockroachDB has no such setting.
 */
const EXPECT_ALL_ROWS: Statement = {
  name: 'expect-all-rows',
  text: `SELECT set_config(name, '1', true) FROM pg_settings WHERE name = 'cursor_tuple_fraction'`,
};

/** Returns a function that streams rows, within the transaction that the connection is in. */
export function createStream(connection: Connection): Stream {
  return async function* <Row extends object>({ name, text }: Statement) {
    const cursor = name.replaceAll('-', '_');
    await connection.query(EXPECT_ALL_ROWS);
    await connection.execute(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${text}`);
    const fetch = { name: `fetch-${name}`, text: `FETCH ${STREAMED_ROWS} FROM ${cursor}` };
    for (;;) {
      const rows = await connection.query<Row>(fetch);
      yield rows;
      if (rows.length < STREAMED_ROWS) break;
    }
    await connection.execute(`CLOSE ${cursor}`);
  };
}
