import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { tamperingContract } from '../../contract/tampering.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';
import { recountSqliteAfter } from '../../support/tampered-stores.ts';

const findAfter = async (path: string, sql: string) => (await recountSqliteAfter(path, sql)).differences;

tamperingContract('an embedded store', async () => {
  const harness = await openSqliteHarness();
  return Object.assign(harness, {
    async run(sql: string) {
      using db = new DatabaseSync(harness.path);
      db.exec(sql);
    },
    findAfter: (sql: string) => findAfter(harness.path, sql),
    bytes: (hex: string) => `unhex('${hex}')`,
  });
});

test('verifying ends after 10,000 differences', async () => {
  await using harness = await openSqliteHarness();
  const findings = await findAfter(
    harness.path,
    `INSERT INTO entry (seq, format, id, short_code, kind, author_kind, at, number, details)
     WITH RECURSIVE counted (n) AS (SELECT 10001 UNION ALL SELECT n + 1 FROM counted WHERE n < 30000)
     SELECT n, 1, zeroblob(16), 'L' || n, 'REVOKED', 'KEY', 0, 1, '{}' FROM counted;
     UPDATE projector SET counted = 30000, position = 30000;
     INSERT INTO log_hour VALUES (0, 10001, 30000)`,
  );
  assert.deepEqual(
    [findings.length, findings.at(-1)],
    [10_002, 'the check of the histories ended here, because so much differs'],
  );
});
