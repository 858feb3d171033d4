import { keyColumns, type MovedTable, type Row, type Value } from '../../move/tables.ts';
import type { ColumnType, Dialect, Query } from './query.ts';

/**
 * Returns a function that reads at most `limit` rows of a table after a key, or its first rows, in the order of their
 * keys. The values of a row are in the order of the table's columns.
 */
export function createReadRows(query: Query, dialect: Dialect) {
  return async (table: MovedTable, after: Row | null, limit: number): Promise<Row[]> => {
    const name = `${after === null ? 'read-first' : 'read-next'}-${table.name}`;
    const text = selectRows(table, after === null, dialect);
    const rows = await query<Record<string, Value>>({ name, text }, [...(after ?? []), limit]);
    return rows.map((row) => Object.values(row));
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
