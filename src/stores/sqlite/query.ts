import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { codeOf } from '../../common/error-details.ts';
import {
  type Columns,
  type ColumnType,
  type Query,
  STREAMED_ROWS,
  type Statement,
  type Stream,
  type Value,
} from '../sql/query.ts';
import { beginTransaction } from './connection.ts';

type Values = NonNullable<Parameters<Query>[1]>;

/** Runs a statement at once, as `Query` does. */
export type Run = <Row extends object>(statement: Statement, values?: Values) => Row[];

/** Returns a function that runs statements which both engines share. Each is prepared when it is first used. */
export function prepareRun(db: DatabaseSync): Run {
  const prepared = new Map<Statement, StatementSync>();

  return <Row extends object>(text: Statement, values: Values = []) => {
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    return statement.all(toParameters(values)) as Row[]; // the caller names the columns of its statement
  };
}

/** Returns the same for callers that wait. */
export function prepareQuery(db: DatabaseSync, run = prepareRun(db)): Query {
  return async <Row extends object>(statement: Statement, values: Values = []) => run<Row>(statement, values);
}

/**
 * Returns a function that runs work in one write transaction: all of it is committed and durable, or nothing. The
 * work waits for nothing but statements, so that no other call of the thread gets in.
 */
export function prepareCommit(db: DatabaseSync, query: Query) {
  return async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    using transaction = beginTransaction(db);
    const result = await work(query);
    transaction.commit();
    return result;
  };
}

/** Returns the function for statements that only read. It also reads integers that no number can hold exactly. */
export function prepareCheckingQuery(db: DatabaseSync): Query {
  return async <Row extends object>(text: Statement, values: Values = []) => [
    ...iterate<Row>(db, text, values),
  ];
}

/** Returns a function that streams the rows of statements which both engines share. */
export function prepareStream(db: DatabaseSync): Stream {
  return async function* <Row extends object>(text: Statement) {
    let rows: Row[] = [];
    for (const row of iterate<Row>(db, text)) {
      rows.push(row);
      if (rows.length < STREAMED_ROWS) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  };
}

function toParameters(values: Values): Record<string, SQLInputValue> {
  // SQLITE.values makes no arrays.
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value as SQLInputValue]));
}

/**
 * Reads rows, as arrays: the objects that SQLite's binding makes take a third more time. An integer above 2^53, which no
 * service writes, becomes the nearest number, as on PostgreSQL: a check can then name its row. SQLite's binding throws
 * there. Such rows are read again as big integers, from the same moment.
 */
function* iterate<Row extends object>(db: DatabaseSync, text: string, values: Values = []): Generator<Row> {
  const parameters = toParameters(values);
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  let count = 0;
  try {
    for (const row of iterateArrays(statement, parameters)) {
      count += 1;
      yield toObject(columns, row) as Row; // the caller names the columns of its statement
    }
    return;
  } catch (error) {
    if (codeOf(error) !== 'ERR_OUT_OF_RANGE') throw error;
  }
  statement.setReadBigInts(true);
  for (const row of iterateArrays(statement, parameters)) {
    count -= 1;
    if (count >= 0) continue;
    const numbers = row.map((value) => (typeof value === 'bigint' ? Number(value) : value));
    yield toObject(columns, numbers) as Row; // as above
  }
}

/** The types of the binding know only rows that are objects. */
const iterateArrays = (statement: StatementSync, parameters: Record<string, SQLInputValue>) =>
  statement.iterate(parameters) as Iterable<unknown> as Iterable<unknown[]>;

function toObject(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index];
  return row;
}

/** A statement costs about 1 µs besides its rows. */
const ROWS_PER_STATEMENT = [16, 4, 1];
const PARAMETERS: Partial<Record<ColumnType, string>> = { uuid: "unhex(?, '-')", bytes: 'unhex(?)' };

/** Prepares inserting rows, several in one statement: three times as fast as from JSON. */
export function prepareInsertRows(
  db: DatabaseSync,
  table: string,
  columns: Columns,
): (rows: readonly (readonly Value[])[]) => void {
  const row = `(${Object.values(columns).map((type) => PARAMETERS[type] ?? '?')})`;
  const statements = ROWS_PER_STATEMENT.map((count) => ({
    count,
    insert: db.prepare(`INSERT INTO ${table} (${Object.keys(columns)}) VALUES ${Array(count).fill(row)}`),
  }));
  return (rows) => {
    let start = 0;
    for (const { count, insert } of statements) {
      for (; rows.length - start >= count; start += count) {
        const values: SQLInputValue[] = [];
        for (const row of rows.slice(start, start + count))
          for (const value of row) values.push(typeof value === 'boolean' ? Number(value) : value);
        insert.run(...values);
      }
    }
  };
}
