import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MOVED_TABLES, type MovedTable, type Row } from '../../move/tables.ts';
import { toUuid } from '../sql/history-rows.ts';
import { type IndexedEntry, prepareIndexEntries } from './index-entries.ts';
import { RESET_LIST } from './list-links.ts';

/** The columns that only this store has, with their values. */
const OWN_COLUMNS: Record<string, Record<string, number>> = { origin_count: { only_row: 1 } };
/** Tables whose rows the schema inserts. The service only updates them. */
const FIXED_ROWS = ['origin_count', 'links_by_status'];

/** Returns a function that inserts rows within the caller's transaction. */
export function prepareWriteRows(db: DatabaseSync): (table: MovedTable, rows: readonly Row[]) => void {
  const indexRows = prepareIndexRows(db);
  const statements = new Map<string, StatementSync>();
  return (table, rows) => {
    const statement = statements.get(table.name) ?? db.prepare(insertInto(table));
    statements.set(table.name, statement);
    for (const row of rows) statement.run(...row);
    if (table.name === 'audit' || table.name === 'link_change') indexRows(table, rows);
  };
}

/** Prepares entering moved records into the index of histories. Their links have them already. */
function prepareIndexRows(db: DatabaseSync): (table: MovedTable, rows: readonly Row[]) => void {
  const indexEntries = prepareIndexEntries(db);
  const raiseMark = db.prepare("UPDATE write_back SET mark = max(mark, unhex(?, '-'))");
  return (table, rows) => {
    const toEntry = ([id, shortCode]: Row) => ({ shortCode: String(shortCode), id: toUuid(String(id)) });
    indexEntries(rows.map(toEntry).sort(byShortCode));
    const last = rows.at(-1);
    if (table.name === 'audit' && last) raiseMark.run(toEntry(last).id);
  };
}

const byShortCode = (a: IndexedEntry, b: IndexedEntry): number => (a.shortCode < b.shortCode ? -1 : 1);

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
  db.exec('DELETE FROM history_entry; DELETE FROM history_run; UPDATE write_back SET mark = zeroblob(16)');
  db.exec(RESET_LIST.join(';'));
  for (const { name } of MOVED_TABLES.toReversed()) {
    db.exec(FIXED_ROWS.includes(name) ? `UPDATE ${name} SET count = 0` : `DELETE FROM ${name}`);
  }
}
