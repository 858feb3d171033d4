import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { KnownFiles } from '../../src/links/compare-files.ts';
import { MAX_RANKED_LINKS } from '../../src/links/ports.ts';
import { DAY_MS } from '../../src/links/time-units.ts';
import type { Recount } from '../../src/stores/sql/recount.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  attemptOn,
  buildAll,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  PASSES,
  redirectLink,
  START,
} from '../support/attempts.ts';

/** A store on empty data of its own, which can be recounted without its services. */
export type RecountHarness = AsyncDisposable & {
  store: Store;
  recount(): Promise<Recount>;
  knownFiles(): Promise<KnownFiles>;
  countTopLinks(): Promise<number>;
  /** Recounts a copy of the store that `sql` has changed, without the checks of the database. */
  recountAfter(sql: string): Promise<Recount>;
};

/** Changes that a store never makes itself, with the difference that a recount reports. */
const TAMPERINGS: readonly [what: string, sql: string, expected: RegExp][] = [
  [
    'a view that was not counted',
    'UPDATE link SET view_count = 1 WHERE max_views = 2',
    /views of link L0000001/,
  ],
  [
    'a record that was deleted',
    `DELETE FROM audit WHERE result = 'NOT_FOUND'`,
    /attempts by day and result: 2026-06-15 NOT_FOUND/,
  ],
  [
    'a record whose result was changed',
    `UPDATE audit SET result = 'SUCCESS'`,
    /attempts by hour and result: 2026-06-15 23:00 UTC SUCCESS/,
  ],
  [
    'a record whose number of attempts was changed',
    `UPDATE audit SET count = 2 WHERE result = 'NOT_FOUND'`,
    /attempts by day and result: 2026-06-15 NOT_FOUND/,
  ],
  [
    'a record whose time was changed',
    'UPDATE audit SET accessed_at = accessed_at + 1',
    /time inside the id of record \w{8}(-\w{4}){3}-/,
  ],
  ['a rollup by day', `UPDATE attempts_by_day SET count = 99 WHERE result = 'SUCCESS'`, /by day.*SUCCESS/],
  ['a rollup by hour', 'UPDATE attempts_by_hour SET hour = hour + 1', /by hour and/],
  ['a rollup by hour of the day', 'DELETE FROM attempts_by_hour_of_day', /by hour of the day/],
  ['the number of origins', 'UPDATE origin_count SET count = 9', /number of origins/],
  ['an origin that never came', `INSERT INTO origin VALUES ('192.0.2.99')`, /origin 192\.0\.2\.99/],
  [
    'a summary that counts more attempts than its hour has',
    'UPDATE period_summary SET attempt_count = 99 WHERE hours = 1',
    /summary of 1 hour from 2026-06-15T23:00:00.000Z: attempts stored 99, recounted 7/,
  ],
  [
    'a summary of a period without attempts',
    'UPDATE period_summary SET period = period + 1 WHERE hours = 24',
    /summary of 24 hours from 2026-06-16T00:00:00.000Z: attempts stored 7, recounted nothing/,
  ],
  [
    'a summary that has other hours of the day',
    `UPDATE period_summary SET by_hour_of_day = '[]' WHERE hours = 24`,
    /summary of 24 hours .* by hour of the day stored \[\], recounted \[0,/,
  ],
  [
    'a summary with other addresses',
    'UPDATE address_number SET number = 5; UPDATE summary_builder SET address_count = 1',
    /numbers of addresses.*(\n.*)*summary of 1 hour .* the stored unique addresses differ/,
  ],
  [
    'a summary without addresses',
    'DELETE FROM period_addresses WHERE hours = 24',
    /summary of 24 hours .* the stored unique addresses differ/,
  ],
  ['a number that no address has', 'UPDATE summary_builder SET address_count = 9', /stored 9, recounted 1/],
  ['the number of links', 'UPDATE links_by_status SET count = count + 1', /links by status/],
  ['the wrong passwords', 'UPDATE link SET invalid_password_count = 5', /wrong passwords of link/],
  ['the views of a top link', 'UPDATE top_link SET view_count = 9', /top link/],
  [
    'a top link that is missing',
    `DELETE FROM top_link WHERE short_code = '${codeOf(2)}'`,
    /top link.*L0000002/,
  ],
  [
    'a link without a target',
    `DELETE FROM link_target WHERE short_code = '${codeOf(2)}'`,
    /target.*L0000002/,
  ],
  [
    'a link that is missing in the list',
    `DELETE FROM listed_link WHERE short_code = '${codeOf(2)}'`,
    /links missing in the list: 1/,
  ],
  ['a link at another place in the list', 'UPDATE listed_link SET number = number + 1', /is not its place/],
  [
    'a place in the list of no link',
    `UPDATE listed_link SET short_code = 'L9999999' WHERE short_code = '${codeOf(2)}'`,
    /place of link L9999999 in the list: there is no such link/,
  ],
  [
    'a link that was deleted with all its records',
    ['link', 'link_target', 'link_change', 'audit']
      .map((table) => `DELETE FROM ${table} WHERE short_code = '${codeOf(2)}'`)
      .join('; '),
    /links that are in the list, but were deleted: 1/,
  ],
  [
    'a link with another creator in the list',
    `UPDATE listed_link SET creator_name = 'someone'`,
    /its creator is .* someone, but .* by its history/,
  ],
  ['a view beyond the limit', 'UPDATE link SET max_views = 1 WHERE max_views = 2', /views over the limit/],
];

/** Tests that a recount finds every difference between rollups and audit. `maxTopLinks` bounds the table of top links. */
export function recountContract(
  name: string,
  maxTopLinks: number,
  openHarness: () => Promise<RecountHarness>,
): void {
  describe(`a recount of ${name}`, () => {
    let harness: RecountHarness;
    before(async () => {
      harness = await openHarness();
      const { store } = harness;
      await store.create(redirectLink(codeOf(1), { maxViews: 2 }), newChange());
      await store.create(redirectLink(codeOf(2)), newChange());
      await store.begin(fileIdOf(3), START);
      await store.create(downloadLink(codeOf(3), { fileId: fileIdOf(3), sizeBytes: 7 }), newChange());
      await store.begin(fileIdOf(4), START);
      for (const index of [1, 1, 1, 2, 3, 4]) await store.attempt(attemptOn(codeOf(index)));
      await store.attempt(attemptOn(codeOf(2), { prechecks: { ...PASSES, password: 'WRONG' } }));
      const wrongPreview = { purpose: 'PREVIEW', prechecks: { ...PASSES, password: 'WRONG' } } as const;
      for (const preview of [{ purpose: 'PREVIEW' } as const, wrongPreview])
        await store.attempt(attemptOn(codeOf(2), preview));
      await store.revoke(codeOf(3), newChange());
      await buildAll(store, START + 2 * DAY_MS);
    });
    after(() => harness[Symbol.asyncDispose]());

    test('finds no difference in a store that only services wrote', async () => {
      assert.deepEqual(await harness.recount(), { differences: [], auditRecords: 9 });
    });

    test('lists the files of links and of pending uploads', async () => {
      const { linkedFiles, pendingUploads } = await harness.knownFiles();
      assert.deepEqual(
        linkedFiles.map((file) => ({ ...file })),
        [{ fileId: fileIdOf(3), sizeBytes: 7, sha256: hash('sha256', fileIdOf(3)), shortCode: codeOf(3) }],
      );
      assert.deepEqual(pendingUploads, [fileIdOf(4)]);
    });

    test('confirms the ranking of the first 1,000 links, in a table that holds few others', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      const codes = Array.from({ length: MAX_RANKED_LINKS + 800 }, (_, index) => codeOf(index));
      await Promise.all(codes.map((code) => store.create(redirectLink(code), newChange())));
      for (const some of [codes, codes.slice(-30), codes.slice(-700), codes.slice(10, 11)]) {
        await Promise.all(some.map((code) => store.attempt(attemptOn(code))));
        assert.deepEqual((await harness.recount()).differences, []);
      }
      const count = await harness.countTopLinks();
      assert.ok(count >= MAX_RANKED_LINKS && count <= maxTopLinks, `${count} top links`);
    });

    for (const [what, sql, expected] of TAMPERINGS) {
      test(`finds ${what}`, async () => {
        const { differences } = await harness.recountAfter(sql);
        assert.match(differences.join('\n'), expected);
      });
    }
  });
}
