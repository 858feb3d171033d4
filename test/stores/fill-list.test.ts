import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListQuery } from '../../src/links/link-list.ts';
import { partsOf } from '../../src/links/list-terms.ts';
import { RESET_LIST } from '../../src/stores/sql/fill-list.ts';
import { codeOf, newChange, redirectLink, START } from '../support/attempts.ts';
import { postgresPlace, sqlitePlace } from '../support/store-places.ts';

const QUERY: ListQuery = {
  ...{ search: [], states: null, type: null, label: null, tag: null, creator: null, creatorKind: null },
  ...{ range: { start: null, end: null }, sort: 'created', order: 'desc', limit: 50, after: null },
  ...{ reader: { seesAll: true, name: { kind: 'KEY', name: 'admin' } }, now: START },
};
/** More changes than one transaction reads, before those of the test. */
const changesBefore = (toId: string) => `
  INSERT INTO link_change (id, short_code, kind, author_kind, changed_at, number, details)
  WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 5001)
  SELECT ${toId}, '${codeOf(1)}', 'CHANGED', 'KEY', 0, 9, '{}' FROM counted`;

for (const [name, makePlace, toId] of [
  ['SQLite', sqlitePlace, "unhex(printf('%032x', n))"],
  ['PostgreSQL', postgresPlace, "CAST(lpad(to_hex(n), 32, '0') AS UUID)"],
] as const) {
  test(`${name}: moved links are in the list, with their creators`, async (t) => {
    const place = await makePlace(t);
    const before = await place.openStore();
    const author = { kind: 'KEY', name: 'anna', ipAddress: null } as const;
    for (let index = 1; index <= 5; index++) {
      const link = redirectLink(codeOf(index), { createdAt: START + index });
      await before.create(link, newChange({ at: START + index, author }));
    }
    await before.revoke(codeOf(2), newChange({ at: START + 6 }));
    await before.close();
    for (const sql of [...RESET_LIST, changesBefore(toId)]) await place.run(sql);
    const target = await place.target();
    await target.fillList();
    await target.close();
    const store = await place.openStore();
    while (await store.maintainList(2, START));
    for (const search of ['', 'example']) {
      const { items, next } = await store.list.readPage({ ...QUERY, search: partsOf(search) });
      assert.equal(next, null);
      assert.deepEqual(
        items.map(({ link, creator }) => [link.shortCode, creator.name]),
        [5, 4, 3, 2, 1].map((index) => [codeOf(index), 'anna']),
      );
    }
    await store.close();
  });
}
