import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/links/time-units.ts';
import { SQLITE } from '../../../src/stores/sql/query.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { checkHistoryIndex } from '../../../src/stores/sqlite/check-history-index.ts';
import { showCurrentLinks } from '../../../src/stores/sqlite/current-links.ts';
import { prepareCheckingQuery, prepareStream } from '../../../src/stores/sqlite/query.ts';
import { tamperingContract } from '../../contract/tampering.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';

/** Checks a store after SQL that no check of the database stops, and rolls it back. */
async function inChangedStore<T>(
  path: string,
  sql: string,
  check: (db: DatabaseSync) => Promise<T>,
): Promise<T> {
  using db = new DatabaseSync(path);
  db.exec('PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF');
  db.exec(`BEGIN; ${sql}`);
  showCurrentLinks(db);
  const found = await check(db);
  db.exec('ROLLBACK');
  return found;
}

const findAfter = (path: string, sql: string): Promise<string[]> =>
  inChangedStore(path, sql, async (db) => {
    const { differences } = await recountStore(prepareCheckingQuery(db), SQLITE, prepareStream(db));
    return differences;
  });

tamperingContract('an embedded store', async () => {
  const harness = await openSqliteHarness({ writeBack: { maxEntries: 0 } }); // rows are changed outside
  return Object.assign(harness, {
    async run(sql: string) {
      using db = new DatabaseSync(harness.path);
      db.exec(sql);
    },
    findAfter: (sql: string) => findAfter(harness.path, sql),
    bytes: (hex: string) => `unhex('${hex}')`,
  });
});

test('verifying compares the index of histories with the entries', async () => {
  await using harness = await openSqliteHarness();
  await harness.store.create(redirectLink(codeOf(1)), newChange());
  for (const at of [START, START, START + DAY_MS]) await harness.store.attempt(attemptOn(codeOf(1), { at }));
  await harness.reopen();
  const findInIndexAfter = (sql: string) =>
    inChangedStore(harness.path, sql, async (db) =>
      (await checkHistoryIndex(prepareCheckingQuery(db))).join('\n'),
    );
  assert.equal(await findInIndexAfter(''), '');
  for (const [sql, expected] of [
    [
      'DELETE FROM history_entry WHERE id = (SELECT min(id) FROM audit)',
      /entry [\w-]{36} of link L0000001 is missing/,
    ],
    [`UPDATE history_entry SET short_code = 'x'`, /[\w-]{36} of link x is no entry/],
    ['UPDATE history_entry SET id = randomblob(16)', /[\w-]{36} of link L0000001 is no entry/],
    ['UPDATE history_run SET last_id = first_id', /run 1 has entries that its limits hide/],
    ['UPDATE history_run SET first_id = last_id', /run 1 has entries that its limits hide/],
    ['UPDATE history_run SET entry_count = 1', /run 1 has entries/],
    ['DELETE FROM history_run', /run 1 has entries/],
  ] as const)
    assert.match(await findInIndexAfter(sql), expected);
});

test('verifying ends after 10,000 differences', async () => {
  await using harness = await openSqliteHarness();
  const findings = await findAfter(
    harness.path,
    `INSERT INTO link_change (id, short_code, kind, author_kind, changed_at, number, details)
     WITH RECURSIVE counted (n) AS (SELECT 10001 UNION ALL SELECT n + 1 FROM counted WHERE n < 30000)
     SELECT randomblob(16), 'L' || n, 'REVOKED', 'KEY', 0, 1, '{}' FROM counted`,
  );
  assert.deepEqual(
    [findings.length, findings.at(-1)],
    [10_002, 'the check of the histories ended here, because so much differs'],
  );
});
