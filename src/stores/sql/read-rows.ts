import type { MoveSource } from '../../move/ports.ts';
import { keyColumns, type MovedTable, type Row, type Value } from '../../move/tables.ts';
import type { ColumnType, Dialect, Query, Statement } from './query.ts';

const MEASURE: Statement = {
  name: 'measure-store',
  text: `SELECT (SELECT count(*) FROM link) AS links, count(*) AS entries, coalesce(max(seq), 0) AS "lastSeq" FROM entry`,
};

/** Returns the reads of a store that is moved. */
export function createMoveReads(query: Query, dialect: Dialect): Pick<MoveSource, 'readRows' | 'measure'> {
  return {
    /** The values of a row are in the order of the table's columns. */
    async readRows(table: MovedTable, after: Row | null, limit: number): Promise<Row[]> {
      const name = `${after === null ? 'read-first' : 'read-next'}-${table.name}`;
      const text = selectRows(table, after === null, dialect);
      const rows = await query<Record<string, Value>>({ name, text }, [...(after ?? []), limit]);
      return rows.map((row) => Object.values(row));
    },
    async measure() {
      const [size] = await query<Awaited<ReturnType<MoveSource['measure']>>>(MEASURE);
      return size ?? { links: 0, entries: 0, lastSeq: 0 };
    },
  };
}

function selectRows(table: MovedTable, isFirst: boolean, dialect: Dialect): string {
  const keys = keyColumns(table);
  const columns = Object.entries(table.columns).map(([column, kind]) => {
    return `${readColumn(`moved.${column}`, kind, dialect)} AS ${column}`;
  });
  const order = keys.map(([column]) => `moved.${column}`);
  const parameters = keys.map(([, kind], index) => {
    return kind === 'uuid' ? dialect.textToUuid(`$${index + 1}`) : `$${index + 1}`;
  });
  return `SELECT ${columns} FROM ${table.name} AS moved
          ${isFirst ? '' : `WHERE (${order}) > (${parameters})`}
          ${order.length > 0 ? `ORDER BY ${order}` : ''} LIMIT $${isFirst ? 1 : keys.length + 1}`;
}

function readColumn(column: string, kind: ColumnType, { uuidToText, bytesToHex }: Dialect): string {
  if (kind === 'uuid') return uuidToText(column);
  if (kind === 'bytes') return bytesToHex(column);
  return kind === 'truth' ? `CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END` : column;
}
