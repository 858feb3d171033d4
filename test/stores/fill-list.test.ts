import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListQuery } from '../../src/links/link-list.ts';
import { partsOf } from '../../src/links/list-terms.ts';
import { RESET_LIST } from '../../src/stores/sql/reset-list.ts';
import { codeOf, newChange, redirectLink, START } from '../support/attempts.ts';
import { postgresPlace, sqlitePlace } from '../support/store-places.ts';

const QUERY: ListQuery = {
  ...{ search: [], states: null, type: null, label: null, tag: null, creator: null, creatorKind: null },
  ...{ range: { start: null, end: null }, sort: 'created', order: 'desc', limit: 50, after: null },
  ...{ reader: { seesAll: true, name: { kind: 'KEY', name: 'admin' } }, now: START },
};
/** Instances of the version before may run so long. */
const LATER = START + 11 * 60_000;

for (const [name, makePlace] of [
  ['SQLite', sqlitePlace],
  ['PostgreSQL', postgresPlace],
] as const) {
  test(`${name}: the links of an earlier version enter the list, in slices and with their creators`, async (t) => {
    const place = await makePlace(t);
    const before = await place.openStore();
    const author = { kind: 'KEY', name: 'anna', ipAddress: null } as const;
    for (let index = 1; index <= 5; index++) {
      const link = redirectLink(codeOf(index), { createdAt: START + index });
      await before.create(link, newChange({ at: START + index, author }));
    }
    await before.revoke(codeOf(2), newChange({ at: START + 6 }));
    await before.close();
    for (const sql of RESET_LIST) await place.run(sql);
    await place.run(`DELETE FROM link_change WHERE short_code = '${codeOf(3)}'`);
    const store = await place.openStore();
    const isFilled = async (now: number) => {
      for (;;) {
        const slice = await store.maintainList(2, now);
        if (slice.state === 'WAIT') return slice.isFilled;
      }
    };
    await isFilled(START + 100);
    assert.equal(await isFilled(LATER), true);
    for (const search of ['', 'example']) {
      const { items, next } = await store.list.readPage({ ...QUERY, search: partsOf(search) });
      assert.equal(next, null);
      assert.deepEqual(
        items.map(({ link, creator }) => [link.shortCode, creator?.name ?? null]),
        [5, 4, 3, 2, 1].map((index) => [codeOf(index), index === 3 ? null : 'anna']),
      );
    }
    await store.close();
  });
}
