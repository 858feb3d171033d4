import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Columns, ColumnType, Value } from '../sql/query.ts';

/** A statement costs about 1 µs besides its rows. */
const ROWS_PER_STATEMENT = [16, 4, 1];
const PARAMETERS: Partial<Record<ColumnType, string>> = { uuid: "unhex(?, '-')", bytes: 'unhex(?)' };

/** Prepares inserting rows, several in one statement: three times as fast as from JSON. */
export function prepareInsertRows(
  db: DatabaseSync,
  table: string,
  columns: Columns,
): (rows: readonly (readonly Value[])[]) => void {
  const row = `(${Object.values(columns).map((type) => PARAMETERS[type] ?? '?')})`;
  const statements = ROWS_PER_STATEMENT.map((count) => ({
    count,
    insert: db.prepare(`INSERT INTO ${table} (${Object.keys(columns)}) VALUES ${Array(count).fill(row)}`),
  }));
  return (rows) => {
    let start = 0;
    for (const { count, insert } of statements) {
      for (; rows.length - start >= count; start += count) {
        const values: SQLInputValue[] = [];
        for (const row of rows.slice(start, start + count))
          for (const value of row) values.push(typeof value === 'boolean' ? Number(value) : value);
        insert.run(...values);
      }
    }
  };
}
