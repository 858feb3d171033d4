import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MOVED_TABLES } from '../../src/move/tables.ts';
import { postgresPlace, sqlitePlace } from '../support/store-places.ts';

/** The tables and columns that one store alone has, or derives from the others. */
const OWN_TABLES = [
  'schema_version',
  'commit_token',
  'commit_count',
  'move_mark',
  'rate_limit',
  'top_link_floor',
  'write_back',
  'address_number',
  'period_summary',
  'period_addresses',
  'summary_builder',
  'listed_link',
];
const OWN_COLUMNS = ['slot', 'only_row'];

const MOVED = MOVED_TABLES.flatMap(({ name, columns }) =>
  Object.keys(columns).map((column) => `${name}.${column}`),
).sort();

describe('the list of moved tables', () => {
  for (const [name, makePlace] of [
    ['SQLite', sqlitePlace],
    ['PostgreSQL', postgresPlace],
  ] as const) {
    test(`has every column of ${name}`, async (t) => {
      const place = await makePlace(t);
      await (await place.openStore()).close();
      const found = (await place.columns())
        .filter(({ table, column }) => !OWN_TABLES.includes(table) && !OWN_COLUMNS.includes(column))
        .map(({ table, column }) => `${table}.${column}`);
      assert.deepEqual(found.sort(), MOVED);
    });
  }
});
