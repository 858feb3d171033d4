import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MOVED_TABLES, type MovedTable, type Row } from '../../move/tables.ts';
import { RESET_LIST } from './list-links.ts';

/** The columns that only this store has, with their values. */
const OWN_COLUMNS: Record<string, Record<string, number>> = { origin_count: { only_row: 1 } };
/** Tables whose rows the schema inserts. The service only updates them. */
const FIXED_ROWS = ['origin_count', 'links_by_status'];

/** Returns a function that inserts rows within the caller's transaction. */
export function prepareWriteRows(db: DatabaseSync): (table: MovedTable, rows: readonly Row[]) => void {
  // Their links have these attempts already.
  const raiseMark = db.prepare('UPDATE write_back SET mark = max(mark, unhex(?))');
  const statements = new Map<string, StatementSync>();
  return (table, rows) => {
    const statement = statements.get(table.name) ?? db.prepare(insertInto(table));
    statements.set(table.name, statement);
    for (const row of rows) statement.run(...row);
    const [lastId] = rows.at(-1) ?? [];
    if (table.name === 'audit' && lastId) raiseMark.run(lastId);
  };
}

function insertInto({ name, columns }: MovedTable): string {
  const own = OWN_COLUMNS[name] ?? {};
  const names = [...Object.keys(own), ...Object.keys(columns)];
  const parameters = Object.values(columns).map((kind) =>
    kind === 'uuid' || kind === 'bytes' ? 'unhex(?)' : '?',
  );
  const replace = FIXED_ROWS.includes(name) ? 'ON CONFLICT DO UPDATE SET count = excluded.count' : '';
  return `INSERT INTO ${name} (${names}) VALUES (${[...Object.values(own), ...parameters]}) ${replace}`;
}

/** Deletes all rows within the caller's transaction. */
export function deleteRows(db: DatabaseSync): void {
  db.exec('UPDATE write_back SET mark = zeroblob(16)');
  db.exec(RESET_LIST.join(';'));
  for (const { name } of MOVED_TABLES.toReversed()) {
    db.exec(FIXED_ROWS.includes(name) ? `UPDATE ${name} SET count = 0` : `DELETE FROM ${name}`);
  }
}
