import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A statement costs about 1 µs besides its rows. */
const ROWS_PER_STATEMENT = [16, 4, 1];

/**
 * Prepares inserting rows, several in one statement.
 *
 * @param into the table and its columns
 * @param row the values of a row, with a parameter for each
 */
export function prepareInsertRows<Row extends SQLInputValue[]>(
  db: DatabaseSync,
  into: string,
  row: string,
): (rows: readonly Row[]) => void {
  const statements = ROWS_PER_STATEMENT.map((count) => ({
    count,
    insert: db.prepare(`INSERT INTO ${into} VALUES ${Array(count).fill(row).join(', ')}`),
  }));
  return (rows) => {
    let start = 0;
    for (const { count, insert } of statements) {
      for (; rows.length - start >= count; start += count) {
        const values: SQLInputValue[] = [];
        for (const row of rows.slice(start, start + count)) values.push(...row); // flat() takes 0.1 µs a row more
        insert.run(...values);
      }
    }
  };
}
