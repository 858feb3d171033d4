import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import type { ColumnKind, MovedTable, Row } from '../../move/tables.ts';

/** What to read of a column, and how to give a value of it. */
const READ: Record<ColumnKind, (column: string) => string> = {
  text: (column) => column,
  integer: (column) => column,
  truth: (column) => column,
  uuid: (column) => `lower(hex(${column}))`,
};
const GIVE: Record<ColumnKind, string> = { text: '?', integer: '?', truth: '?', uuid: 'unhex(?)' };

/** Reads a table as it travels between stores, a part at a time, in the order of its key. */
export function prepareReadRows(
  db: DatabaseSync,
): (table: MovedTable, after: Row | null, limit: number) => Row[] {
  const statements = new Map<string, StatementSync>();

  function statementFor(table: MovedTable, isFirst: boolean): StatementSync {
    const name = `${table.name} ${isFirst}`;
    const statement = statements.get(name) ?? db.prepare(isFirst ? selectFirst(table) : selectNext(table));
    statement.setReturnArrays(true);
    statements.set(name, statement);
    return statement;
  }

  return (table, after, limit) => {
    // What has no key has one row.
    if (after !== null && table.keyColumns === 0) return [];
    // With arrays asked for, the values come in the order of the columns.
    return statementFor(table, after === null).all(...(after ?? []), limit) as unknown as Row[];
  };
}

function selectFirst(table: MovedTable): string {
  const values = Object.entries(table.columns).map(([column, kind]) => READ[kind](column));
  const keys = keysOf(table).map(([column]) => column);
  return `SELECT ${values} FROM ${relation(table)} ${keys.length > 0 ? `ORDER BY ${keys}` : ''} LIMIT ?`;
}

function selectNext(table: MovedTable): string {
  const keys = keysOf(table);
  const after = `(${keys.map(([column]) => column)}) > (${keys.map(([, kind]) => GIVE[kind])})`;
  return selectFirst(table).replace(' ORDER BY', ` WHERE ${after} ORDER BY`);
}

const keysOf = (table: MovedTable) => Object.entries(table.columns).slice(0, table.keyColumns);

function relation({ name, holds }: MovedTable): string {
  const relations = {
    rows: name,
    counts: `(SELECT * FROM ${name} WHERE count <> 0)`,
    ranks: `(SELECT * FROM ${name} ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS})`,
  };
  return relations[holds];
}
