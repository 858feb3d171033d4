import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { readKnownFiles } from '../../../src/stores/sql/linked-files.ts';
import type { StoreRead } from '../../../src/stores/sql/query.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../../src/stores/sqlite/read-store.ts';
import { erasureContract } from '../../contract/erasures.ts';
import { recountContract } from '../../contract/recount.ts';
import { tamperingContract } from '../../contract/tampering.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { openSqliteHarness, readDatabase } from '../../support/sqlite-harness.ts';
import { sqlitePlace } from '../../support/store-places.ts';
import { recountSqliteAfter } from '../../support/tampered-stores.ts';

/** So long that a test ends before an idle store projects. */
const NEVER_MS = 600_000;

recountContract('an embedded store', async () => {
  const harness = await openSqliteHarness({ projector: { idleMs: NEVER_MS } });
  const { path } = harness;
  return Object.assign(harness, {
    recount: () => readSqliteStore(path, recountStore),
    knownFiles: () => readSqliteStore(path, ({ query }) => readKnownFiles(query)),
    withoutProjector: (work: () => Promise<void>) => work(),
    countTopLinks: async () => readDatabase(path, (db) => db.prepare('SELECT * FROM top_link').all()).length,
    recountAfter: (sql: string) => recountSqliteAfter(path, sql),
  });
});

test('a recount fails where there is no embedded store, and creates none', async (t) => {
  const directory = temporaryDirectory(t);
  const nowhere = join(directory, 'nowhere.db');
  await assert.rejects(readSqliteStore(nowhere, recountStore), /no store/);
  await assert.rejects(readSqliteStore(nowhere, recountStore), /no store/);
  const other = join(directory, 'other.db');
  execute(other, '');
  await assert.rejects(readSqliteStore(other, recountStore), /no store/);
});

test('a recount refuses an embedded store of another version', async (t) => {
  const older = sqlitePlace(t);
  await (await older.openStore()).close();
  await older.run('PRAGMA user_version = 7');
  await assert.rejects(
    readSqliteStore(older.path, recountStore),
    /has schema version 7, .*before its first release/,
  );
});

function execute(path: string, sql: string): void {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(sql);
  db.close();
}

const findAfter = async (path: string, sql: string) => (await recountSqliteAfter(path, sql)).differences;

tamperingContract('an embedded store', async () => {
  const harness = await openSqliteHarness();
  return Object.assign(harness, {
    async run(sql: string) {
      using db = new DatabaseSync(harness.path, { timeout: 5_000 });
      db.exec(sql);
    },
    findAfter: (sql: string) => findAfter(harness.path, sql),
    bytes: (hex: string) => `unhex('${hex}')`,
  });
});

erasureContract('an embedded store', async () => {
  const harness = await openSqliteHarness();
  return Object.assign(harness, { read: <T>(read: StoreRead<T>) => readSqliteStore(harness.path, read) });
});

test('verifying ends after 10,000 differences', async () => {
  await using harness = await openSqliteHarness();
  const findings = await findAfter(
    harness.path,
    `INSERT INTO entry (seq, format, id, short_code, kind, author_kind, at, number, details)
     WITH RECURSIVE counted (n) AS (SELECT 10001 UNION ALL SELECT n + 1 FROM counted WHERE n < 30000)
     SELECT n, 1, zeroblob(16), 'L' || n, 'REVOKED', 'KEY', 0, 1, '{}' FROM counted;
     UPDATE projector SET counted = 30000, position = 30000;
     INSERT INTO log_hour (hour, first_seq, last_seq) VALUES (0, 10001, 30000)`,
  );
  assert.deepEqual(
    [findings.length, findings.at(-1)],
    [10_002, 'the check of the histories ended here, because so much differs'],
  );
});
