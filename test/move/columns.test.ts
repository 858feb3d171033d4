import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MOVED_TABLES } from '../../src/stores/sql/moved-tables.ts';
import { postgresPlace, sqlitePlace } from '../support/store-places.ts';

const MOVED = MOVED_TABLES.flatMap(({ name, columns }) =>
  Object.keys(columns).map((column) => `${name}.${column}`),
).sort();

describe('the list of moved tables', () => {
  for (const [name, makePlace] of [
    ['SQLite', sqlitePlace],
    ['PostgreSQL', postgresPlace],
  ] as const) {
    test(`the list has every column of ${name}`, async (t) => {
      const place = await makePlace(t);
      await (await place.openStore()).close();
      const found = (await place.columns()).map(({ table, column }) => `${table}.${column}`);
      assert.deepEqual(found.sort(), MOVED);
    });
  }
});
