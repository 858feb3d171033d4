import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Query, STREAMED_ROWS, type Statement, type Stream } from '../sql/query.ts';

type Values = NonNullable<Parameters<Query>[1]>;

/** Returns a function that runs statements which both engines share. Each is prepared when it is first used. */
export function prepareQuery(db: DatabaseSync): Query {
  const prepared = new Map<string, StatementSync>();

  return async <Row extends object>({ name, text }: Statement, values: Values = []) => {
    const statement = prepared.get(name) ?? db.prepare(text);
    prepared.set(name, statement);
    const parameters = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return statement.all(parameters) as Row[]; // the caller names the columns of its statement
  };
}

/** Returns a function that streams the rows of statements which both engines share. */
export function prepareStream(db: DatabaseSync): Stream {
  return async function* <Row extends object>({ text }: Statement) {
    let rows: Row[] = [];
    for (const row of db.prepare(text).iterate()) {
      rows.push(row as Row); // the caller names the columns of its statement
      if (rows.length < STREAMED_ROWS) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  };
}
