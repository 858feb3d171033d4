import pg from 'pg';

/** A statement with a name is prepared once for each connection. Names are unique within the store. */
export type Statement = Readonly<{ name: string; text: string }>;

/** What is sent with a statement; an array is one parameter, for `unnest`. */
export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** A statement with its values. */
export type Step = Readonly<{ statement: Statement; values: readonly Value[] }>;

/** What a step was answered with: its rows, and what it was (`COMMIT`, `ROLLBACK`, `INSERT 0 1`). */
export type Answer = { rows: object[]; tag: string };

/** How to read the rows of a statement, by connection: a connection tells it once, when it prepares the statement. */
type Columns = readonly { name: string; parse: (text: string) => unknown }[];
const prepared = new WeakMap<pg.Connection, Map<string, Columns>>();

type Field = { name: string; dataTypeID: number };

/**
 * Several statements in one packet, answered in one: the database says that it is ready only after the last. Each
 * such word is a packet of its own, and a thread to be woken on either side. The library has this word behind each
 * statement.
 *
 * A statement that fails has those behind it passed over.
 */
export class Batch extends pg.Query {
  readonly #steps: readonly Step[];
  readonly #types: pg.CustomTypesConfig;
  /** Of the statements that were done. */
  readonly answers: Answer[] = [];
  #rows: object[] = [];
  #columns: Columns = [];
  #known = new Map<string, Columns>();
  // Both are read by the library, which puts a function with a time-out around the first.
  callback: (error: Error | null) => void;
  readonly query_timeout: number | undefined;

  /** @param callback is told that all were done, or what the next of them failed with; called once */
  constructor(
    steps: readonly Step[],
    options: { types: pg.CustomTypesConfig; timeoutMs: number | null },
    callback: (error: Error | null) => void,
  ) {
    super('');
    this.#steps = steps;
    this.#types = options.types;
    this.query_timeout = options.timeoutMs ?? undefined;
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
    const { name, text } = statement;
    const isKnown = this.#known.has(name);
    if (!isKnown) {
      connection.close({ type: 'S', name }, true); // left by a batch that failed in between; else this does nothing
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values: values.map(toText) }, true);
    if (!isKnown) connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
  }

  // What follows is called by the library, for the messages of the protocol with these names.

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#types.getTypeParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const columns = this.#columnsOf(this.answers.length);
    const row: Record<string, unknown> = {};
    for (const [index, { name, parse }] of columns.entries()) {
      const text = fields[index];
      row[name] = text === null || text === undefined ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text: tag }: { text: string }): void {
    const name = this.#steps[this.answers.length]?.statement.name ?? '';
    if (!this.#known.has(name)) this.#known.set(name, this.#columns);
    this.answers.push({ rows: this.#rows, tag });
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
    return this.#known.get(this.#steps[step]?.statement.name ?? '') ?? this.#columns;
  }
}

/** A value as PostgreSQL reads it; arrays of texts have each in quotes (its manual, 8.15.6). */
function toText(value: Value): string | null {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  return `{${value.map(toElement).join(',')}}`;
}

function toElement(element: string | number | boolean | null): string {
  if (element === null) return 'NULL';
  if (typeof element !== 'string') return String(element);
  return `"${/["\\]/.test(element) ? element.replaceAll(/["\\]/g, '\\$&') : element}"`;
}
