import { hash } from 'node:crypto';
import pg from 'pg';
import type { Statement } from '../sql/query.ts';

type Scalar = string | number | boolean | null;
/** A parameter of a statement: an array is one parameter, for `unnest`; bytes are a UUID. */
export type Value = Scalar | Uint8Array | readonly Scalar[];

/** A statement with its values. */
export type Step = Readonly<{ statement: Statement; values: readonly Value[] }>;

/** The result of a step: its rows, and its command tag (`COMMIT`, `ROLLBACK`, `INSERT 0 1`). */
export type StepResult = { rows: object[]; tag: string };

/**
 * Sends statements in one packet. After one that fails the rest is skipped: there are results of the statements before,
 * and its error. This is a `DatabaseError`, or `ConnectionLost`: then those without a result may have been executed as
 * well.
 */
export type Send = (steps: readonly Step[]) => Promise<{ results: StepResult[]; error: unknown }>;

/** 64-bit integers that may be above 2^53 are read as text: numbers in the list of all links. */
const overrides = new pg.TypeOverrides();
overrides.setTypeParser(pg.types.builtins.INT8, Number);
const types: pg.CustomTypesConfig = overrides;

type Columns = readonly { name: string; parse: (text: string) => unknown }[];
/** The columns of each prepared statement. A connection describes them once, when it prepares the statement. */
const prepared = new WeakMap<pg.Connection, Map<Statement, Columns>>();
/** The names of long statements, the same in every process: a pooler may share connections. */
const names = new Map<Statement, string>();
/** PostgreSQL cuts longer names. */
const MAX_NAME = 63;

type Field = { name: string; dataTypeID: number };

/**
 * Sends several statements in one packet. One Sync for all of them, so PostgreSQL sends one ReadyForQuery and one
 * packet. `pg` sends a Sync after every statement. After one that fails the remaining ones are skipped.
 */
export class Pipeline extends pg.Query {
  readonly #steps: readonly Step[];
  /** The results of the statements that were executed. */
  readonly results: StepResult[] = [];
  #rows: object[] = [];
  #columns: Columns = [];
  #known = new Map<Statement, Columns>();
  // `pg` reads both, and wraps the first in a function with a time-out.
  callback: (error: Error | null) => void;
  readonly query_timeout: number | undefined;

  /** @param callback is called once: with null after the last statement, else with the error of the one that failed */
  constructor(
    steps: readonly Step[],
    timeoutMs: number | undefined,
    callback: (error: Error | null) => void,
  ) {
    super('');
    this.#steps = steps;
    this.query_timeout = timeoutMs;
    this.callback = callback;
  }

  override submit = (connection: pg.Connection): void => {
    this.#known = prepared.get(connection) ?? new Map();
    prepared.set(connection, this.#known);
    connection.stream.cork();
    try {
      for (const step of this.#steps) this.#send(connection, step);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  };

  #send(connection: pg.Connection, { statement, values }: Step): void {
    const name = nameOf(statement);
    const isKnown = this.#known.has(statement);
    if (!isKnown) {
      connection.close({ type: 'S', name }, true); // left by a pipeline that failed halfway; else it does nothing
      connection.parse({ name, text: statement, types: [] }, true);
    }
    connection.bind({ statement: name, values: values.map(toText) }, true);
    if (!isKnown) connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
  }

  // `pg` calls these methods for the protocol messages of the same names.

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown, // `pg` types its result as `any`
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const columns = this.#columnsOf(this.results.length);
    const row: Record<string, unknown> = {};
    for (const [index, { name, parse }] of columns.entries()) {
      const text = fields[index];
      row[name] = text === null || text === undefined ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text: tag }: { text: string }): void {
    const statement = this.#steps[this.results.length]?.statement ?? '';
    if (!this.#known.has(statement)) this.#known.set(statement, this.#columns);
    this.results.push({ rows: this.#rows, tag });
    this.#rows = [];
    this.#columns = [];
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  #columnsOf(step: number): Columns {
    return this.#known.get(this.#steps[step]?.statement ?? '') ?? this.#columns;
  }
}

function nameOf(statement: Statement): string {
  if (statement.length <= MAX_NAME) return statement;
  const name = names.get(statement) ?? hash('sha256', statement).slice(0, MAX_NAME);
  names.set(statement, name);
  return name;
}

/** Returns a value as PostgreSQL reads it. Texts in arrays are quoted (its manual, 8.15.6). */
function toText(value: Value): string | null {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return `{${value.map(toElement).join(',')}}`;
}

function toElement(element: Scalar): string {
  if (element === null) return 'NULL';
  if (typeof element !== 'string') return String(element);
  return `"${/["\\]/.test(element) ? element.replaceAll(/["\\]/g, '\\$&') : element}"`;
}
