import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { MAX_RANKED_LINKS } from '../../src/core/model/ranges.ts';
import { HOUR_MS } from '../../src/core/model/time-units.ts';
import type { KnownFiles } from '../../src/core/use-cases/files/compare-files.ts';
import { ENTRIES_PER_JUMP } from '../../src/stores/sql/projections.ts';
import type { Recount } from '../../src/stores/sql/recount.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  downloadOf,
  fileIdOf,
  newChange,
  PASSES,
  redirectLink,
  requestLink,
  START,
} from '../support/attempts.ts';
import { pluck } from '../support/pluck.ts';

/** A store on empty data of its own, which can be recounted without its services. */
export type RecountHarness = AsyncDisposable & {
  store: Store;
  recount(): Promise<Recount>;
  /** Runs work while no entry is projected. */
  withoutProjector(work: () => Promise<void>): Promise<void>;
  knownFiles(): Promise<KnownFiles>;
  countTopLinks(): Promise<number>;
  /** Recounts the store in a transaction that `sql` has changed, without the checks of the database. */
  recountAfter(sql: string): Promise<Recount>;
};

const IS_SECOND = `short_code = '${codeOf(2)}'`;
const deleteSecond = (table: string) => `DELETE FROM ${table} WHERE ${IS_SECOND}`;

/** Changes that a store never makes itself, with the difference that a recount reports. */
const TAMPERINGS: readonly [sql: string, expected: RegExp][] = [
  ['UPDATE link SET view_count = 1 WHERE max_views = 2', /views of link L0000001/],
  [`DELETE FROM entry WHERE result = 'NOT_FOUND'`, /by day and result: 2026-06-15 NOT_FOUND: stored 1/],
  [`UPDATE entry SET result = 'SUCCESS' WHERE kind = 'ATTEMPT'`, /by hour .*: 2026-06-15 23:00 UTC SUCCESS/],
  [`UPDATE entry SET count = 2 WHERE result = 'NOT_FOUND'`, /by day and result: 2026-06-15 NOT_FOUND/],
  ['UPDATE entry SET at = at + 1', /time inside the id of entry \w{8}(-\w{4}){3}-/],
  [`UPDATE attempts_by_day SET count = 99 WHERE result = 'SUCCESS'`, /by day.*SUCCESS/],
  ['UPDATE attempts_by_hour SET hour = hour + 1', /by hour and/],
  ['UPDATE log_hour SET first_seq = first_seq + 1', /first_seq of hour .*: stored 2, recounted 1$/m],
  ['UPDATE log_hour SET last_seq = last_seq - 1', /last_seq of hour .*: stored \d+, recounted \d+$/m],
  ['DELETE FROM log_hour', /first_seq of hour .*: stored nothing, recounted 1$/m],
  ['DELETE FROM history_jump', /place in the history of link L0000002 \d+ 129: stored nothing, recounted 1/],
  [
    `INSERT INTO history_jump VALUES ('L0000001', 5, 257)`,
    /link L0000001 5 257: stored 1, recounted nothing/,
  ],
  ['DELETE FROM download', /end of a download, .*: \w{32} \d+: stored nothing/],
  ['UPDATE download SET seq = 1', /its place in the log: \w{32} 1: stored 1, recounted nothing/],
  [`INSERT INTO origin VALUES ('192.0.2.99', 2)`, /origin 192\.0\.2\.99: stored 1, recounted nothing/],
  ['UPDATE origin SET number = 9', /greatest number of an origin: all: stored 9, recounted 1/],
  ['DELETE FROM origin_by_hour', /origin of hour 2026-06-15 23:00 UTC .*: stored nothing, recounted 1/],
  ['UPDATE origin_by_hour SET hour = hour + 1', /origin of hour 2026-06-16 00:00 UTC/],
  [
    'UPDATE origins_by_day SET previous_day = previous_day + 1',
    /2026-06-15 none: stored nothing, recounted 1/,
  ],
  ['UPDATE links_by_status SET count = count + 1', /links by status/],
  ['UPDATE link_exception SET count = 5', /wrong passwords of link L0000002: stored 5, recounted 2/],
  ['DELETE FROM link_exception', /wrong passwords of link L0000002/],
  ['UPDATE top_link SET view_count = 999', /rank 1 by views: stored \w+ with 999 views, recounted L0000002/],
  [deleteSecond('top_link'), /rank 1 by views: stored L0000001 .* L0000002/],
  [deleteSecond('link_target'), /target.*L0000002/],
  [deleteSecond('listed_link'), /links missing in the list: 1/],
  ['UPDATE listed_link SET number = number + 1', /is not its place/],
  [
    `UPDATE listed_link SET short_code = 'L9999999' WHERE ${IS_SECOND}`,
    /L9999999 in the list: there is no such link/,
  ],
  [['link', 'link_target', 'entry'].map(deleteSecond).join('; '), /in the list, but were deleted: 1/],
  ['UPDATE link SET max_views = 1 WHERE max_views = 2', /views over the limit/],
];

/** Changes that the entries which wait do not hide. */
const PENDING_TAMPERINGS: typeof TAMPERINGS = [
  [`UPDATE attempts_by_hour SET count = count + 1 WHERE result = 'SUCCESS'`, /by hour and result: .*SUCCESS/],
  [`UPDATE links_by_status SET count = count + 1`, /links by status: REVOKED: stored 4, recounted 3/],
  ['UPDATE link_exception SET count = count + 1', /wrong passwords of link L0000001/],
  ['UPDATE log_hour SET first_seq = 2', /first_seq of hour/],
  ['DELETE FROM top_link', /rank \d by views/],
  ['DELETE FROM origin_by_hour', /origin of hour/],
  ['DELETE FROM origins_by_day', /addresses by day,/],
];

/** Tests that a recount finds every difference between projections and the log. */
export function recountContract(name: string, openHarness: () => Promise<RecountHarness>): void {
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
      const granted = attemptOn(codeOf(3));
      for (const attempt of [...[1, 1, 1, 2, 4].map((index) => attemptOn(codeOf(index))), granted])
        await store.attempt(attempt);
      const end = { attemptId: granted.id, bytesSent: 7 };
      await store.recordDownload(
        downloadOf({ id: granted.id, shortCode: codeOf(3) }, { ...end, at: START + 1 }),
      );
      await store.attempt(attemptOn(codeOf(2), { prechecks: { ...PASSES, password: 'WRONG' } }));
      const wrongPreview = { purpose: 'PREVIEW', prechecks: { ...PASSES, password: 'WRONG' } } as const;
      for (const preview of [{ purpose: 'PREVIEW' } as const, wrongPreview])
        await store.attempt(attemptOn(codeOf(2), preview));
      await store.revoke(codeOf(3), newChange());
      const more = Array.from({ length: ENTRIES_PER_JUMP }, () => store.attempt(attemptOn(codeOf(2))));
      await Promise.all(more);
      await store.statistics.linkCounts(); // projects all of this
    });
    after(() => harness[Symbol.asyncDispose]());

    test('a recount finds no difference in a store that only services wrote', async () => {
      assert.deepEqual(await harness.recount(), { differences: [], auditRecords: 9 + ENTRIES_PER_JUMP });
    });

    test('a recount finds no difference while entries wait to be projected, and those that were there before', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      const wrong = { purpose: 'PREVIEW', prechecks: { ...PASSES, password: 'WRONG' } } as const;
      async function use(first: number, at: number): Promise<void> {
        const codes = [codeOf(first), codeOf(first + 1)];
        for (const code of codes)
          await store.create(redirectLink(code, { maxViews: 2, createdAt: at }), newChange({ at }));
        const attempts = [codeOf(1), ...codes, 'nowhere1'].flatMap((code) => [
          ...[attemptOn(code, { at }), attemptOn(code, { at: at + 1, ipAddress: `203.0.113.${first}` })],
          ...[attemptOn(code, { at }), attemptOn(code, { at, ...wrong })],
        ]);
        await Promise.all(attempts.map((attempt) => store.attempt(attempt)));
        for (let count = 0; count < ENTRIES_PER_JUMP; count += 64)
          await Promise.all(Array.from({ length: 64 }, () => store.attempt(attemptOn(codeOf(1), { at }))));
        await store.revoke(codeOf(first), newChange({ at }));
      }
      await use(1, START);
      await store.statistics.linkCounts();
      await harness.withoutProjector(async () => {
        await use(3, START);
        await use(5, START + HOUR_MS);
        assert.deepEqual((await harness.recount()).differences, []);
        for (const [sql, expected] of PENDING_TAMPERINGS)
          assert.match((await harness.recountAfter(sql)).differences.join('\n'), expected);
      });
      await store.statistics.linkCounts();
      assert.deepEqual((await harness.recount()).differences, []);
    });

    test('a recount confirms a link that continues another, and finds what was changed in either history', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await Promise.all([1, 2].map((index) => store.begin(fileIdOf(index), START)));
      await store.create({ ...downloadLink(codeOf(1), { fileId: fileIdOf(1) }), maxViews: 3 }, newChange());
      await store.attempt(attemptOn(codeOf(1)));
      const file = { fileId: fileIdOf(2), fileName: 'b', sizeBytes: 6, sha256: hash('sha256', 'b') };
      await store.change(codeOf(1), { patch: { file, isPaused: true }, versions: null }, newChange());
      const records = { revocation: newChange(), creation: newChange() };
      await store.changeCode(codeOf(1), { shortCode: codeOf(2), versions: null }, records);
      await store.attempt(attemptOn(codeOf(1)));
      const author = { kind: 'KEY', name: 'admin', ipAddress: null } as const; // who does not own the link
      const again = { revocation: newChange({ author }), creation: newChange({ author }) };
      await store.changeCode(codeOf(2), { shortCode: codeOf(3), versions: null }, again);
      await store.statistics.linkCounts();
      assert.deepEqual((await harness.recount()).differences, []);
      const { linkedFiles, pendingUploads } = await harness.knownFiles();
      assert.deepEqual(pluck(linkedFiles, 'shortCode', 'fileId'), [[codeOf(3), fileIdOf(2)]]);
      assert.deepEqual(pendingUploads, [fileIdOf(1)]);
      for (const sql of [
        `UPDATE entry SET details = '{}' WHERE kind = 'REVOKED'`,
        `UPDATE entry SET fingerprint = (SELECT fingerprint FROM link WHERE short_code = '${codeOf(3)}') WHERE kind = 'REVOKED'`,
        `UPDATE entry SET details = replace(details, '"formerFingerprint":"', '"formerFingerprint":"0') WHERE kind = 'CREATED'`,
      ]) {
        const { differences } = await harness.recountAfter(sql);
        assert.match(
          differences.join('\n'),
          /link L0000003: creation [\w-]{36} continues a history that does not end/,
        );
      }
      const erasure = `UPDATE entry SET personal_hash = fingerprint, salt = NULL, details = '{}' WHERE kind = 'REVOKED'`;
      assert.doesNotMatch(
        (await harness.recountAfter(erasure)).differences.join('\n'),
        /continues a history/,
      );
    });

    test('a recount confirms submissions to a file request, and finds what was changed in either history', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await store.create(requestLink(codeOf(1)), newChange());
      await store.begin(fileIdOf(2), START);
      const link = { ...downloadLink(codeOf(2), { fileId: fileIdOf(2) }), requestCode: codeOf(1) };
      await store.submit({ attempt: attemptOn(codeOf(1)), link, change: newChange(), requestVersion: 0 });
      const patch = { request: { message: 'Photos', maxFiles: null } };
      const changed = await store.change(codeOf(1), { patch, versions: null }, newChange());
      assert.ok('link' in changed);
      assert.deepEqual((await store.find(codeOf(1)))?.target, changed.link.target);
      await store.statistics.linkCounts();
      assert.deepEqual((await harness.recount()).differences, []);
      for (const [sql, expected] of [
        [
          `UPDATE entry SET details = replace(details, '"requestFingerprint":"', '"requestFingerprint":"0') WHERE kind = 'CREATED'`,
          /L0000002: creation [\w-]{36} has no attempt.*L0000001: attempt [\w-]{36} submitted files, and no link/s,
        ],
        [
          `UPDATE link_target SET request_code = 'other' WHERE file_id IS NOT NULL`,
          /requestShortCode of the link is "other"/,
        ],
        [`UPDATE link_target SET file_request = replace(file_request, '{', '')`, /because file_request of/],
        [
          `UPDATE link_target SET file_request = '{}' WHERE file_request IS NOT NULL`,
          /requestMessage of the link is ""/,
        ],
      ] as const)
        assert.match((await harness.recountAfter(sql)).differences.join('\n'), expected);
    });

    test('a recount lists the files of links and of pending uploads', async () => {
      const { linkedFiles, pendingUploads } = await harness.knownFiles();
      assert.deepEqual(
        linkedFiles.map((file) => ({ ...file })),
        [{ fileId: fileIdOf(3), sizeBytes: 7, sha256: hash('sha256', fileIdOf(3)), shortCode: codeOf(3) }],
      );
      assert.deepEqual(pendingUploads, [fileIdOf(4)]);
    });

    test('a recount confirms the ranking of the first 1,000 links, in a table that has no others', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      const codes = Array.from({ length: MAX_RANKED_LINKS + 800 }, (_, index) => codeOf(index));
      await Promise.all(codes.map((code) => store.create(redirectLink(code), newChange())));
      for (const some of [codes, codes.slice(-30), codes.slice(-700), codes.slice(10, 11)]) {
        await Promise.all(some.map((code) => store.attempt(attemptOn(code))));
        await store.statistics.topLinks(1);
        assert.deepEqual((await harness.recount()).differences, []);
      }
      assert.equal(await harness.countTopLinks(), MAX_RANKED_LINKS);
    });

    for (const [sql, expected] of TAMPERINGS) {
      test(`a recount finds what this changes: ${sql}`, async () => {
        const { differences } = await harness.recountAfter(sql);
        assert.match(differences.join('\n'), expected);
      });
    }
  });
}
