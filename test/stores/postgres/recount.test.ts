import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MAX_RANKED_LINKS } from '../../../src/links/ports.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { readKnownFiles } from '../../../src/stores/sql/linked-files.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  PASSES,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { openPostgresHarness, type PostgresHarness } from '../../support/postgres-harness.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema } from '../../support/postgres-server.ts';
import { TAMPERINGS } from '../../support/tamperings.ts';

const ALL_TAMPERINGS = [
  ...TAMPERINGS,
  [
    'a view beyond the limit',
    'ALTER TABLE link DROP CONSTRAINT link_check; UPDATE link SET max_views = 1 WHERE max_views = 2',
    /views over the limit/,
  ],
] as const;

describe('a recount of a PostgreSQL store', () => {
  let harness: PostgresHarness;
  before(async () => {
    harness = await openPostgresHarness();
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

  test('finds no difference in a store that only services wrote', async () => {
    assert.deepEqual(await readPostgresStore(harness.options, recountStore), {
      differences: [],
      attempts: 8,
    });
  });

  test('lists the files of links and of pending uploads', async () => {
    const { linkedFiles, pendingUploads } = await readPostgresStore(harness.options, readKnownFiles);
    assert.deepEqual(linkedFiles, [{ fileId: fileIdOf(3), sizeBytes: 7, shortCode: codeOf(3) }]);
    assert.deepEqual(pendingUploads, [fileIdOf(4)]);
  });

  test('confirms the ranking of the first 1,000 links, which holds few others', async () => {
    await using harness = await openPostgresHarness();
    const { store } = harness;
    const codes = Array.from({ length: MAX_RANKED_LINKS + 800 }, (_, index) => codeOf(index));
    await Promise.all(codes.map((code) => store.create(redirectLink(code))));
    for (const some of [codes, codes.slice(-30), codes.slice(-700), codes.slice(10, 11)]) {
      await Promise.all(some.map((code) => store.attempt(attemptOn(code))));
      assert.deepEqual((await readPostgresStore(harness.options, recountStore)).differences, []);
    }
    const [kept] = await harness.schema.query('SELECT count(*) FROM top_link');
    assert.ok(Number(kept?.['count']) <= MAX_RANKED_LINKS + 600, `${kept?.['count']} links are kept`);
  });

  for (const [what, tampering, expected] of ALL_TAMPERINGS) {
    test(`finds ${what}`, async () => {
      const copy = await copyOf(harness);
      try {
        await copy.query(tampering);
        const found = await readPostgresStore(postgresOptions(copy.url), recountStore);
        assert.match(found.differences.join('\n'), expected);
      } finally {
        await copy[Symbol.asyncDispose]();
      }
    });
  }

  test('fails where there is no store', async () => {
    const empty = await createSchema();
    await assert.rejects(readPostgresStore(postgresOptions(empty.url), recountStore), /not a store/);
    await empty[Symbol.asyncDispose]();
  });
});

/** Copies all tables and rows into a new schema. */
async function copyOf({ schema }: PostgresHarness) {
  const copy = await createSchema();
  const tables = await schema.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [schema.name],
  );
  for (const { name } of tables) {
    await copy.query(
      `CREATE TABLE ${name} (LIKE ${schema.name}.${name} INCLUDING ALL);
       INSERT INTO ${name} SELECT * FROM ${schema.name}.${name}`,
    );
  }
  return copy;
}
