import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { MAX_RANKED_LINKS } from '../../../src/links/ports.ts';
import { readKnownFiles } from '../../../src/stores/sql/linked-files.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../../src/stores/sqlite/read-store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  PASSES,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { openSqliteHarness, readDatabase, type SqliteHarness } from '../../support/sqlite-harness.ts';
import { TAMPERINGS } from '../../support/tamperings.ts';

describe('a recount of an embedded store', () => {
  let harness: SqliteHarness;
  before(async () => {
    harness = await openSqliteHarness();
    const { store } = harness;
    await store.create(redirectLink(codeOf(1), { maxViews: 2 }));
    await store.create(redirectLink(codeOf(2)));
    await store.begin(fileIdOf(3), START);
    await store.create(downloadLink(codeOf(3), { fileId: fileIdOf(3), sizeBytes: 7 }));
    await store.begin(fileIdOf(4), START);
    for (const index of [1, 1, 1, 2, 3, 4]) await store.attempt(attemptOn(codeOf(index)));
    await store.attempt(attemptOn(codeOf(2), { prechecks: { ...PASSES, password: 'WRONG' } }));
    await store.attempt(attemptOn(codeOf(2), { purpose: 'PREVIEW' }));
    await store.revoke(codeOf(3));
  });
  after(() => harness[Symbol.asyncDispose]());

  test('finds no difference in a store that only the service wrote', async () => {
    assert.deepEqual(await readSqliteStore(harness.path, recountStore), { differences: [], attempts: 8 });
  });

  test('lists the files of links and of pending uploads', async () => {
    const { linkedFiles, pendingUploads } = await readSqliteStore(harness.path, readKnownFiles);
    assert.deepEqual(
      linkedFiles.map((file) => ({ ...file })),
      [{ fileId: fileIdOf(3), sizeBytes: 7, shortCode: codeOf(3) }],
    );
    assert.deepEqual(pendingUploads, [fileIdOf(4)]);
  });

  test('confirms that the table of top links holds exactly the first 1,000', async () => {
    await using harness = await openSqliteHarness();
    const { store } = harness;
    const codes = Array.from({ length: MAX_RANKED_LINKS + 50 }, (_, index) => codeOf(index));
    await Promise.all(codes.map((code) => store.create(redirectLink(code))));
    for (const some of [codes, codes.slice(-30), codes.slice(-70), codes.slice(10, 11)]) {
      await Promise.all(some.map((code) => store.attempt(attemptOn(code))));
      assert.deepEqual((await readSqliteStore(harness.path, recountStore)).differences, []);
    }
    const ranked = readDatabase(harness.path, (db) => db.prepare('SELECT * FROM top_link').all());
    assert.equal(ranked.length, MAX_RANKED_LINKS);
  });

  for (const [what, tampering, expected] of [
    ...TAMPERINGS,
    ['a view beyond the limit', 'UPDATE link SET max_views = 1 WHERE max_views = 2', /views over the limit/],
  ] as const) {
    test(`finds ${what}`, async () => {
      const path = join(harness.directory, 'tampered.db');
      rmSync(path, { force: true });
      const db = new DatabaseSync(harness.path);
      db.exec(`VACUUM INTO '${path}'`);
      db.close();
      tamper(path, tampering);
      const { differences } = await readSqliteStore(path, recountStore);
      assert.match(differences.join('\n'), expected);
    });
  }

  test('fails where there is no store, and creates none', async () => {
    const nowhere = join(harness.directory, 'nowhere.db');
    await assert.rejects(readSqliteStore(nowhere, recountStore), /no store/);
    await assert.rejects(readSqliteStore(nowhere, recountStore), /no store/);
    const other = join(harness.directory, 'other.db');
    new DatabaseSync(other).close();
    await assert.rejects(readSqliteStore(other, recountStore), /not a store/);
  });
});

/** Changes a store without SQLite's checks, as a damaged file or a database tool may. */
function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; ${sql}`);
  db.close();
}
