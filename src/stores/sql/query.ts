import { PREVIEW_RESULTS } from '../../core/model/verdict.ts';

/**
 * A statement, with `$1`, `$2` and so on for its values. It is prepared once per connection, so a part that varies without
 * bounds is a value.
 */
export type Statement = string;

/** Runs a statement that both engines take. The caller names the columns of the rows. */
export type Query = <Row extends object>(
  statement: Statement,
  values?: readonly Parameter[],
) => Promise<Row[]>;

/** Runs statements in one transaction. Resolves once it is durable. */
export type Commit = <T>(work: (query: Query) => Promise<T>) => Promise<T>;

/** A value of a row. */
export type Value = string | number | boolean | null;
/** A parameter of a statement. Only `Dialect.values` makes arrays. */
export type Parameter = string | number | Uint8Array | null | readonly Value[];

/** The type of a column whose values are given: UUIDs as their text, bytes as hexadecimal digits. */
export type ColumnType = 'text' | 'integer' | 'truth' | 'uuid' | 'bytes';
export type Columns = Readonly<Record<string, ColumnType>>;

/** Runs a statement without values, and reads its rows in batches, so that any number of them can be read. */
export type Stream = <Row extends object>(statement: Statement) => AsyncIterable<Row[]>;

/** The number of rows that a stream holds. */
export const STREAMED_ROWS = 1_000;

/** Returns whether a text can be a key: PostgreSQL stores no NUL, and a query for one fails. */
export function canBeStored(text: string): boolean {
  return !text.includes('\u0000');
}

/** The sum of a count: PostgreSQL's sum of integers is no integer, and a sum of no rows is null. */
export const SUM = 'CAST(coalesce(sum(count), 0) AS BIGINT)';

/** Selects the records and counts of attempts: all except those of previews. */
export const IS_ATTEMPT = `result NOT IN (${PREVIEW_RESULTS.map((result) => `'${result}'`).join(', ')})`;

/** A SELECT of a text and a number that finds none. */
export const NO_ROWS = 'SELECT CAST(NULL AS TEXT), CAST(NULL AS BIGINT) WHERE false';

/** Returns the statement that inserts the rows of `given` into a table. */
export function insertInto(table: string, columns: Columns, { given }: Pick<Dialect, 'given'>): Statement {
  const names = Object.keys(columns);
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${given(columns)}`;
}

/** The few expressions that the engines write differently. */
export type Dialect = Readonly<{
  /** Returns a table `given` with these columns, whose rows `values` writes into the first parameters of a statement. */
  given(columns: Columns): string;
  /** Returns the parameters for the rows of `given`. A row has its values in the order of the columns. */
  values(columns: Columns, rows: readonly (readonly Value[])[]): Parameter[];
  /** Ends a SELECT whose rows no other transaction may change before the end of this one. */
  forUpdate: string;
  /** Divides a column of natural numbers, rounding down. */
  divide(column: string, divisor: number): string;
  /** The collation that orders texts by their bytes. */
  byteOrder: string;
  /** Converts a UUID to 32 lower-case hexadecimal digits; NULL to NULL. */
  uuidToText(column: string): string;
  textToUuid(parameter: string): string;
  /** Converts bytes to lower-case hexadecimal digits; NULL to NULL. */
  bytesToHex(column: string): string;
  /** Converts hexadecimal digits to bytes. */
  hexToBytes(parameter: string): string;
  /** Compares a column with integers, which the parameter has as a JSON array. */
  isAnyOf(column: string, parameter: string): string;
  /** Returns a table of the texts of a JSON array, in its column `value`. */
  texts(parameter: string): string;
  /** Returns the integer that a JSON object has as a member; NULL without that member. Does not fail where it is no JSON. */
  jsonInteger(column: string, member: string): string;
  /** Returns such a member that is a text without escapes. */
  jsonText(column: string, member: string): string;
  /** Returns the values of a column as one text with commas; NULL without a row. */
  joined(column: string): string;
  /** Joins the row of a table for which a condition holds, each looked up; no planner may choose otherwise. */
  lookUp(table: string, condition: string): string;
  /** Ends a recursive part after the number of rows that the parameter has. PostgreSQL computes only those that are read. */
  limitRecursion(parameter: string): string;
  /** The time of an entry as 12 hexadecimal digits. */
  hexTime: string;
  /**
   * Excludes rounds of the projector until the end of the transaction. On PostgreSQL, its further statements look rows up:
   * a plan that was made for a small table would scan it again and again once it is large, or all of a large one at once.
   */
  lockProjector: Statement;
  /** The condition of a row of `entry` that the projector has counted. */
  isProjected: string;
  /** The full-text search of the list: where it has the numbers of links, and how conditions on their terms are written. */
  search: Readonly<{
    table: string;
    number: string;
    /** Compares the terms of a link with the condition of a parameter. */
    isMet(parameter: string): string;
    beginning(term: string): string;
    all: string;
    any: string;
  }>;
}>;

const FROM_JSON: Record<ColumnType, (value: string) => string> = {
  text: (value) => value,
  integer: (value) => `CAST(${value} AS INTEGER)`,
  truth: (value) => `CAST(${value} AS INTEGER)`,
  uuid: (value) => `unhex(${value}, '-')`,
  bytes: (value) => `unhex(${value})`,
};

export const SQLITE: Dialect = {
  given(columns) {
    const values = Object.entries(columns).map(
      ([column, type], index) => `${FROM_JSON[type](`(value ->> ${index})`)} AS ${column}`,
    );
    return `(SELECT ${values} FROM json_each($1)) AS given`;
  },
  values: (_, rows) => [JSON.stringify(rows)],
  forUpdate: '',
  divide: (column, divisor) => `${column} / ${divisor}`,
  byteOrder: 'BINARY',
  uuidToText: (column) => `nullif(lower(hex(${column})), '')`,
  textToUuid: (parameter) => `unhex(${parameter}, '-')`,
  bytesToHex: (column) => `nullif(lower(hex(${column})), '')`,
  hexToBytes: (parameter) => `unhex(${parameter})`,
  isAnyOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  texts: (parameter) => `json_each(${parameter})`,
  jsonInteger: (column, member) =>
    `CASE WHEN json_valid(${column}) THEN json_extract(${column}, '$.${member}') END`,
  jsonText: (column, member) =>
    `CASE WHEN json_valid(${column}) THEN json_extract(${column}, '$.${member}') END`,
  joined: (column) => `group_concat(${column}, ',')`,
  lookUp: (table, condition) => `JOIN ${table} ON ${condition}`,
  limitRecursion: (parameter) => `LIMIT ${parameter}`,
  hexTime: `printf('%012x', at)`,
  lockProjector: 'UPDATE projector SET only_row = 1',
  // As an expression, or a search that has a better bound would use this one.
  isProjected: '+entry.seq <= (SELECT counted FROM projector)',
  search: {
    table: 'link_search',
    number: 'rowid',
    isMet: (parameter) => `link_search MATCH ${parameter}`,
    beginning: (term) => `${term}*`,
    ...{ all: ' AND ', any: ' OR ' },
  },
};

const ARRAYS: Record<ColumnType, string> = {
  text: 'text[]',
  integer: 'bigint[]',
  truth: 'boolean[]',
  uuid: 'uuid[]',
  bytes: 'text[]',
};

/** Returns the table `given` of PostgreSQL from the parameters from `first` on. */
export function givenFrom(columns: Columns, first: number): string {
  const types = Object.values(columns);
  const arrays = types.map((type, index) => `$${first + index}::${ARRAYS[type]}`);
  if (!types.includes('bytes')) return `unnest(${arrays}) AS given (${Object.keys(columns)})`;
  const values = Object.entries(columns).map(([column, type]) =>
    type === 'bytes' ? `decode(${column}, 'hex') AS ${column}` : column,
  );
  return `(SELECT ${values} FROM unnest(${arrays}) AS raw (${Object.keys(columns)})) AS given`;
}

/** A transaction on PostgreSQL draws so many numbers at once. The first of them is one more than a multiple of this. */
export const ENTRIES_PER_DRAW = 512;

export const POSTGRES: Dialect = {
  given: (columns) => givenFrom(columns, 1),
  values: (columns, rows) => Object.keys(columns).map((_, index) => rows.map((row) => row[index] ?? null)),
  forUpdate: ' FOR UPDATE',
  // In CockroachDB `/` between integers is no integer division: the remainder goes first.
  divide: (column, divisor) => `CAST((${column} - ${column} % ${divisor}) / ${divisor} AS BIGINT)`,
  byteOrder: '"C"',
  uuidToText: (column) => `replace(CAST(${column} AS TEXT), '-', '')`,
  textToUuid: (parameter) => `CAST(${parameter} AS UUID)`,
  bytesToHex: (column) => `encode(${column}, 'hex')`,
  hexToBytes: (parameter) => `decode(${parameter}, 'hex')`,
  // As an array of PostgreSQL, so that it looks each up in the index; from a subquery, or it would read the array's text
  // again for every row: 10 s for 100,000 rows.
  isAnyOf: (column, parameter) =>
    `${column} = ANY((SELECT CAST(translate(${parameter}, '[]', '{}') AS BIGINT[]))::BIGINT[])`,
  // A cast fails where it is no JSON, and so would the check that finds it.
  jsonInteger: (column, member) =>
    `CAST(substring(${column} FROM '"${member}":([0-9]{1,15})[,}]') AS BIGINT)`,
  jsonText: (column, member) => `substring(${column} FROM '"${member}":"([^"]*)"')`,
  texts: (parameter) => `jsonb_array_elements_text(CAST(${parameter} AS JSONB)) AS listed (value)`,
  joined: (column) => `string_agg(CAST(${column} AS TEXT), ',')`,
  // Without statistics of new tables, it would compare all rows of one with all of another: 1 s for 6,000.
  lookUp: (table, condition) => `CROSS JOIN LATERAL (
    SELECT * FROM ${table} WHERE ${condition} LIMIT 1) AS ${table}`,
  limitRecursion: () => '',
  hexTime: `lpad(to_hex(at), 12, '0')`,
  lockProjector: `UPDATE projector SET round = round + 1 RETURNING ${['seqscan', 'hashjoin', 'mergejoin'].map(
    (way) => `set_config('enable_${way}', 'off', true)`,
  )}`,
  isProjected: `NOT EXISTS (SELECT 1 FROM projection_queue
    WHERE first_seq = entry.seq - (entry.seq - 1) % ${ENTRIES_PER_DRAW})`,
  search: {
    table: 'listed_link',
    number: 'number',
    isMet: (parameter) => `terms @@ CAST(${parameter} AS TSQUERY)`,
    beginning: (term) => `${term}:*`,
    ...{ all: ' & ', any: ' | ' },
  },
};

/** Compares the search of the list with the terms of links. */
export type SearchCheck = {
  /** Takes links of the list. Returns the short codes of some that the search does not find by all of their terms. */
  add(links: readonly { number: string; shortCode: string; terms: readonly string[] }[]): Promise<string[]>;
  /** Returns those of the others. */
  end(): Promise<string[]>;
};

/** One moment of a store. */
export type StoreMoment = {
  query: Query;
  dialect: Dialect;
  stream: Stream;
  beginSearchCheck: () => SearchCheck;
  /** The changes of links that the projector has yet to write: their views, and a SELECT of changes of the numbers by status. */
  pending: { views: ReadonlyMap<string, number>; statuses: Statement };
  /** The months that were detached from the log; undefined if it is whole. */
  detached: DetachedMonths | undefined;
};

/** Months that were detached from the log. `heads` selects the ends of the chains in them: of each link the newest one. */
export type DetachedMonths = { months: string; heads: string };

export const describeDetached = ({ months }: DetachedMonths): string =>
  `the log lacks the entries of ${months}, which were detached, so that statistics cannot be compared or rebuilt: attach ` +
  'their partitions first (ALTER TABLE entry ATTACH PARTITION)';

/** Reads one moment of a store. */
export type StoreRead<T> = (moment: StoreMoment) => Promise<T>;
