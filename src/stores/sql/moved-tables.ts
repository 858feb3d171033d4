import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SHARED_COLUMNS } from '../schema.ts';
import type { Columns, ColumnType, Dialect, Query, StoreMoment, Value } from './query.ts';

/** A table that is moved. Its first `keyColumns` columns are its key. */
export type MovedTable = Readonly<{ name: string; keyColumns: number; columns: Columns }>;

/** The number of columns in the key of each moved table, in the order in which they are moved. */
const KEY_COLUMNS = {
  ...{
    link: 1,
    link_target: 1,
    file_set: 1,
    entry: 1,
    erasure: 1,
    api_key: 1,
    person: 1,
    team: 1,
    team_member: 2,
    session: 1,
    user_agent: 1,
    upload: 1,
    lease: 1,
    recipient_code: 2,
    log_tile: 2,
    log_tree: 1,
  },
  ...{ idempotent_request: 1, idempotent_response: 2, outbox: 1, delivery_queue: 1, notification: 1 },
};
/** A test compares these tables and columns with the schema of each store. */
export const MOVED_TABLES: readonly MovedTable[] = Object.entries(KEY_COLUMNS).map(([name, keyColumns]) => ({
  ...{ name, keyColumns },
  columns: SHARED_COLUMNS.get(name) ?? {},
}));

/** The values of a table's columns, in their order. A truth is 0 or 1; a UUID and bytes are lower-case hexadecimal digits. */
export type Row = readonly Value[];

/** The number of rows, and the SHA-256 of all rows in the order of the key. It is the same on both engines. */
export type TableDigest = { rows: number; sha256: string };

/**
 * Reads all rows of a table, in batches. Texts are ordered by their bytes.
 *
 * @param take gets each batch
 * @throws when an integer is beyond those that a number holds exactly, which no service writes
 */
export async function readTable(
  { stream, dialect }: StoreMoment,
  table: MovedTable,
  take: (rows: readonly Row[]) => unknown = () => {},
): Promise<TableDigest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const found of stream<Record<string, Value>>(selectRows(table, dialect))) {
    const rows = found.map((row) => Object.values(row));
    for (const row of rows) {
      if (row.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)))
        throw new Error(
          `a row of table ${table.name} has an integer beyond ${Number.MAX_SAFE_INTEGER}, which no service writes, and ` +
            'which cannot be copied: correct it in the source',
        );
      hash.update(`${JSON.stringify(row)}\n`);
    }
    count += rows.length;
    await take(rows);
    await setImmediate(); // SQLite is synchronous, and the progress needs its timer
  }
  return { rows: count, sha256: hash.digest('hex') };
}

function selectRows({ name, keyColumns, columns }: MovedTable, dialect: Dialect): string {
  const selected = Object.entries(columns).map(
    ([column, type]) => `${readColumn(`moved.${column}`, type, dialect)} AS ${column}`,
  );
  const key = Object.keys(columns).slice(0, keyColumns);
  return `SELECT ${selected} FROM ${name} AS moved ORDER BY ${key.map((column) => `moved.${column}`)}`;
}

function readColumn(column: string, type: ColumnType, { uuidToText, bytesToHex }: Dialect): string {
  if (type === 'uuid') return uuidToText(column);
  if (type === 'bytes') return bytesToHex(column);
  return type === 'truth' ? `CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END` : column;
}

/** A state of a store. `rows`: the number of rows of all moved tables. `text` differs after nearly every use of the store. */
export type StoreState = { rows: number; text: string };

const COUNT_ROWS = MOVED_TABLES.map(
  ({ name }) => `SELECT '${name}' AS name, count(*) AS rows FROM ${name}`,
).join(' UNION ALL ');
/** Tables that a service changes without a new row in another: of keys, people, sessions, teams and uploads. */
const CHANGED_TABLES = MOVED_TABLES.filter(({ name }) =>
  ['upload', 'api_key', 'person', 'session', 'team', 'team_member'].includes(name),
);

/** Reads the state of a store: attempts and changes of links append to the log. */
export async function readState(moment: StoreMoment): Promise<StoreState> {
  const counts = await moment.query<{ name: string; rows: number }>(COUNT_ROWS);
  const newest = await moment.query('SELECT max(seq) AS seq FROM entry');
  const digests: TableDigest[] = [];
  for (const table of CHANGED_TABLES) digests.push(await readTable(moment, table));
  return {
    rows: counts.reduce((sum, { rows }) => sum + rows, 0),
    text: JSON.stringify([counts, newest, digests]),
  };
}

/** Returns whether a store has no row that a move would bring. */
export async function isEmpty(query: Query): Promise<boolean> {
  for (const { name } of MOVED_TABLES) {
    if ((await query(`SELECT 1 AS found FROM ${name} LIMIT 1`)).length > 0) return false;
  }
  return true;
}
