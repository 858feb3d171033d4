import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import type { ColumnKind, MovedTable, Row, Value } from '../../move/tables.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';

/** What to read of a column, and how to give a value of it. */
const READ: Record<ColumnKind, (column: string) => string> = {
  text: (column) => column,
  integer: (column) => column,
  truth: (column) => `CASE WHEN ${column} THEN 1 ELSE 0 END`,
  uuid: (column) => `replace(${column}::text, '-', '')`,
};
const GIVE: Record<ColumnKind, string> = {
  text: '::text',
  integer: '::bigint',
  truth: '::bigint',
  uuid: '::uuid',
};

/** Reads a table as it travels between stores, a part at a time, in the order of its key. */
export function prepareReadRows(
  connections: Connections,
): (table: MovedTable, after: Row | null, limit: number) => Promise<Row[]> {
  return async (table, after, limit) => {
    // What has no key has one row.
    if (after !== null && table.keyColumns === 0) return [];
    const statement = after === null ? selectFirst(table) : selectNext(table);
    const found = await connections.read<Record<string, Value>>(statement, [...(after ?? []), limit]);
    const columns = Object.keys(table.columns);
    return found.map((row) => columns.map((column) => row[column] ?? null));
  };
}

function selectFirst(table: MovedTable): Statement {
  return { name: `read-first-${table.name}`, text: select(table, '', 1) };
}

function selectNext(table: MovedTable): Statement {
  const keys = keysOf(table);
  const values = keys.map(([, kind], index) => `$${index + 1}${GIVE[kind]}`);
  const after = `WHERE (${keys.map(([column]) => `moved.${column}`)}) > (${values})`;
  return { name: `read-next-${table.name}`, text: select(table, after, keys.length + 1) };
}

function select(table: MovedTable, condition: string, limitParameter: number): string {
  const values = Object.entries(table.columns).map(
    ([column, kind]) => `${READ[kind](`moved.${column}`)} AS ${column}`,
  );
  const keys = keysOf(table).map(([column]) => `moved.${column}`);
  const order = keys.length > 0 ? `ORDER BY ${keys}` : '';
  return `SELECT ${values} FROM ${relation(table)} AS moved ${condition} ${order} LIMIT $${limitParameter}`;
}

const keysOf = (table: MovedTable) => Object.entries(table.columns).slice(0, table.keyColumns);

function relation(table: MovedTable): string {
  const { name, holds } = table;
  const relations = {
    rows: name,
    counts: sumsOf(table),
    ranks: `(SELECT * FROM ${name} ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS})`,
  };
  return relations[holds];
}

/** The slots of each count together. Texts are ordered by their bytes, as in the other store. */
function sumsOf(table: MovedTable): string {
  const keys = keysOf(table).map(([column, kind]) =>
    kind === 'text' ? `${column} COLLATE "C" AS ${column}` : column,
  );
  const groups = keys.length > 0 ? `GROUP BY ${keys.map((_, index) => index + 1)}` : '';
  const columns = [...keys, 'sum(count)::bigint AS count'];
  return `(SELECT ${columns} FROM ${table.name} ${groups} HAVING sum(count) <> 0)`;
}
