import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import { type ColumnKind, keyColumns, type MovedTable, type Row } from '../../move/tables.ts';

/** How the SQL of an engine differs from that of the other. */
export type MoveDialect = {
  /** The collation that orders texts by their bytes. */
  byteOrder: string;
  uuidToText: (column: string) => string;
  textToUuid: (parameter: string) => string;
};

/** A statement with the values of `$1`, `$2` and so on. */
export type MoveQuery = { name: string; text: string; values: Row };

/**
 * Returns the query of at most `limit` rows of a table behind a key, or its first rows, in the order of their
 * keys.
 */
export function selectRows(
  table: MovedTable,
  { after, limit, dialect }: { after: Row | null; limit: number; dialect: MoveDialect },
): MoveQuery {
  const keys = keyColumns(table);
  const columns = Object.entries(table.columns).map(([column, kind]) => {
    return `${readColumn(`moved.${column}`, kind, dialect)} AS ${column}`;
  });
  const order = keys.map(([column]) => `moved.${column}`);
  const parameters = keys.map(([, kind], index) => {
    return kind === 'uuid' ? dialect.textToUuid(`$${index + 1}`) : `$${index + 1}`;
  });
  const condition = after === null ? '' : `WHERE (${order}) > (${parameters})`;
  const values = [...(after ?? []), limit];
  return {
    name: `${after === null ? 'read-first' : 'read-next'}-${table.name}`,
    text: `SELECT ${columns} FROM ${relation(table, dialect)} AS moved
           ${condition} ${order.length > 0 ? `ORDER BY ${order}` : ''} LIMIT $${values.length}`,
    values,
  };
}

function readColumn(column: string, kind: ColumnKind, { uuidToText }: MoveDialect): string {
  if (kind === 'uuid') return uuidToText(column);
  return kind === 'truth' ? `CASE WHEN ${column} THEN 1 ELSE 0 END` : column;
}

function relation(table: MovedTable, dialect: MoveDialect): string {
  if (table.holds === 'rows') return table.name;
  if (table.holds === 'counts') return sumsOf(table, dialect);
  return `(SELECT * FROM ${table.name} ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS})`;
}

/** Adds up each count over its slots, where a store has those. */
function sumsOf(table: MovedTable, { byteOrder }: MoveDialect): string {
  const keys = keyColumns(table).map(([column, kind]) =>
    kind === 'text' ? `${column} COLLATE ${byteOrder} AS ${column}` : column,
  );
  const groups = keys.length > 0 ? `GROUP BY ${keys.map((_, index) => index + 1)}` : '';
  const columns = [...keys, 'CAST(sum(count) AS BIGINT) AS count'];
  return `(SELECT ${columns} FROM ${table.name} ${groups} HAVING sum(count) <> 0)`;
}
