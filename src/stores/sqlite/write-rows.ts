import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ColumnKind, MovedTable, Row } from '../../move/tables.ts';

const TAKE: Record<ColumnKind, string> = { text: '?', integer: '?', truth: '?', uuid: 'unhex(?)' };

/** What this store keeps beside the columns that travel. */
const OWN_COLUMNS: Record<string, Record<string, number>> = { origin_count: { only_row: 1 } };

/** Writes rows of a table as they travel between stores, within the transaction of whoever calls. */
export function prepareWriteRows(db: DatabaseSync): (table: MovedTable, rows: readonly Row[]) => void {
  const statements = new Map<string, StatementSync>();

  return (table, rows) => {
    const statement = statements.get(table.name) ?? db.prepare(insertInto(table));
    statements.set(table.name, statement);
    for (const row of rows) statement.run(...row);
  };
}

function insertInto({ name, holds, columns }: MovedTable): string {
  const own = OWN_COLUMNS[name] ?? {};
  const names = [...Object.keys(own), ...Object.keys(columns)];
  const values = [...Object.values(own), ...Object.values(columns).map((kind) => TAKE[kind])];
  // An empty store has some counts already: those that are 0.
  const replace = holds === 'counts' ? 'ON CONFLICT DO UPDATE SET count = excluded.count' : '';
  return `INSERT INTO ${name} (${names}) VALUES (${values}) ${replace}`;
}
