import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MOVED_TABLES } from '../../src/move/tables.ts';
import { openPostgresHarness } from '../support/postgres-harness.ts';
import { openSqliteHarness, readDatabase } from '../support/sqlite-harness.ts';

/** The tables and columns that one store alone has. */
const OWN_TABLES = ['schema_version', 'commit_mark', 'move_mark', 'top_link_floor'];
const OWN_COLUMNS = ['slot', 'only_row'];

const MOVED = MOVED_TABLES.flatMap(({ name, columns }) =>
  Object.keys(columns).map((column) => `${name}.${column}`),
).sort();

function withoutOwn(found: readonly { table: string; column: string }[]): string[] {
  return found
    .filter(({ table, column }) => !OWN_TABLES.includes(table) && !OWN_COLUMNS.includes(column))
    .map(({ table, column }) => `${table}.${column}`)
    .sort();
}

describe('the list of moved tables', () => {
  test('has every column of SQLite', async () => {
    await using harness = await openSqliteHarness();
    const found = readDatabase(harness.path, (db) =>
      db
        .prepare(
          `SELECT tables.name AS "table", columns.name AS "column"
           FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
        )
        .all(),
    );
    assert.deepEqual(withoutOwn(found as { table: string; column: string }[]), MOVED);
  });

  test('has every column of PostgreSQL', async () => {
    await using harness = await openPostgresHarness();
    const found = await harness.schema.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = $1`,
      [harness.schema.name],
    );
    assert.deepEqual(withoutOwn(found), MOVED);
  });
});
