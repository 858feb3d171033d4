import { randomUUID } from 'node:crypto';
import {
  keyColumns,
  type MovedTable,
  type MoveSource,
  type MoveTarget,
  type Row,
  type Value,
} from '../../core/ports/move.ts';
import { assertMarkFound, MOVE_MARK, readMoveMark } from '../move-mark.ts';
import { SHARED_COLUMNS } from '../schema.ts';
import { createLinkedFiles } from './linked-files.ts';
import { type ColumnType, type Commit, type Dialect, insertInto, type Query } from './query.ts';
import { PROJECTION_TABLES } from './rebuild.ts';

/** The number of columns in the key of each moved table: of all but projections, in the order in which they are moved. */
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
  },
  ...{ idempotent_request: 1, idempotent_response: 2, outbox: 1, delivery_queue: 1, notification: 1 },
};
/** A test compares these tables and columns with the schema of each store. */
export const MOVED_TABLES: readonly MovedTable[] = Object.entries(KEY_COLUMNS).map(([name, keyColumns]) => ({
  ...{ name, keyColumns },
  columns: SHARED_COLUMNS.get(name) ?? {},
}));

const MEASURE = `SELECT (SELECT count(*) FROM link) AS links, count(*) AS entries, coalesce(max(seq), 0) AS "lastSeq" FROM entry`;

/** A store that is opened for a move. */
type Opened = { name: string; query: Query; dialect: Dialect; close: () => Promise<void> };

/** Returns the reads of a store that is moved. */
export function createMoveSource({ name, query, dialect, close }: Opened): MoveSource {
  return {
    name,
    tables: MOVED_TABLES,
    /** The values of a row are in the order of the table's columns. */
    async readRows(table: MovedTable, after: Row | null, limit: number): Promise<Row[]> {
      const text = selectRows(table, after === null, dialect);
      const rows = await query<Record<string, Value>>(text, [...(after ?? []), limit]);
      return rows.map((row) => Object.values(row));
    },
    async measure() {
      const [size] = await query<Awaited<ReturnType<MoveSource['measure']>>>(MEASURE);
      return size ?? { links: 0, entries: 0, lastSeq: 0 };
    },
    ...createLinkedFiles(query),
    close,
  };
}

/**
 * Returns the operations of a store that a move writes to.
 *
 * @param target.prepareRows is called in the transaction that writes rows, before them
 */
export function createMoveTarget(
  target: Opened &
    Pick<MoveTarget, 'rebuild'> & {
      commit: Commit;
      prepareRows?: (query: Query, table: MovedTable, rows: readonly Row[]) => Promise<void>;
    },
): MoveTarget {
  const { query, dialect, commit, rebuild } = target;
  const run = JSON.stringify({ run: randomUUID() });
  return {
    ...createMoveSource(target),
    rebuild,
    readMark: () => readMoveMark(query),
    begin: (description) => commit(async (query) => void (await query(MOVE_MARK.insert, [run, description]))),
    writeRows: (table, rows) =>
      commit(async (query) => {
        assertMarkFound(await query(MOVE_MARK.update, [run, null]));
        await target.prepareRows?.(query, table, rows);
        await query(insertInto(table.name, table.columns, dialect), dialect.values(table.columns, rows));
      }),
    clear: () =>
      commit(async (query) => {
        assertMarkFound(await query(MOVE_MARK.deleteUnfinished));
        for (const table of [...MOVED_TABLES.map(({ name }) => name), ...PROJECTION_TABLES])
          await query(`DELETE FROM ${table}`);
      }),
    finish: (at) => commit(async (query) => assertMarkFound(await query(MOVE_MARK.update, [run, at]))),
  };
}

function selectRows(table: MovedTable, isFirst: boolean, dialect: Dialect): string {
  const keys = keyColumns(table);
  const columns = Object.entries(table.columns).map(([column, kind]) => {
    return `${readColumn(`moved.${column}`, kind, dialect)} AS ${column}`;
  });
  const order = keys.map(([column]) => `moved.${column}`);
  const parameters = keys.map((_, index) => `$${index + 1}`);
  return `SELECT ${columns} FROM ${table.name} AS moved
          ${isFirst ? '' : `WHERE (${order}) > (${parameters})`}
          ORDER BY ${order} LIMIT $${isFirst ? 1 : keys.length + 1}`;
}

function readColumn(column: string, kind: ColumnType, { uuidToText, bytesToHex }: Dialect): string {
  if (kind === 'uuid') return uuidToText(column);
  if (kind === 'bytes') return bytesToHex(column);
  return kind === 'truth' ? `CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END` : column;
}
