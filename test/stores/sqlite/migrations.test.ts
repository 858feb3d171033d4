import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { schemaVersion } from '../../../src/stores/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import { readSqliteStore } from '../../../src/stores/sqlite/read-store.ts';
import { attemptOn, codeOf, redirectLink, START } from '../../support/attempts.ts';
import { readAudit, readDatabase } from '../../support/sqlite-harness.ts';

const STEPS = readdirSync(new URL('../../../src/stores/sqlite/migrations/', import.meta.url)).length;

describe('opening an embedded store', () => {
  let world: string;
  let path: string;
  let opened: { close(): Promise<void> }[];
  beforeEach(() => {
    opened = [];
    world = mkdtempSync(join(tmpdir(), 'postern-migrations-'));
    path = join(world, 'data', 'postern.db');
  });
  afterEach(async () => {
    await Promise.allSettled(opened.map((store) => store.close())); // what a failed test left open
    rmSync(world, { recursive: true, force: true });
  });

  async function open() {
    const store = await openSqliteStore({ path });
    opened.push(store);
    return store;
  }

  const versionOf = () => readDatabase(path, schemaVersion);
  const schemaOf = () =>
    readDatabase(path, (db) =>
      db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
    );

  function writeDatabase(sql: string): void {
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
  }

  test('creates the file and its directories, with the whole schema', async () => {
    const store = await open();
    assert.equal(versionOf(), STEPS);
    assert.equal(await store.create(redirectLink(codeOf(1))), 'created');
    await store.close();
  });

  test('takes an empty file as a new database', async () => {
    mkdirSync(join(world, 'data'));
    writeDatabase('');
    const store = await open();
    assert.equal(versionOf(), STEPS);
    await store.close();
  });

  test('changes nothing of a database that is up to date', async () => {
    const store = await open();
    await store.create(redirectLink(codeOf(1), { maxViews: 1 }));
    await store.attempt(attemptOn(codeOf(1)));
    await store.close();
    const [schema, audit] = [schemaOf(), readAudit(path)];
    for (let time = 0; time < 2; time++) {
      const again = await open();
      assert.equal(await again.create(redirectLink(codeOf(1))), 'short-code-taken');
      await again.close();
      assert.equal(versionOf(), STEPS);
      assert.deepEqual([schemaOf(), readAudit(path)], [schema, audit]);
    }
  });

  test('of an earlier version counts the existing audit by hour', async () => {
    const store = await open();
    await store.create(redirectLink(codeOf(1), { maxViews: 2 }));
    for (const at of [START, START + 1, START + 7_200_000]) await store.attempt(attemptOn(codeOf(1), { at }));
    await store.close();
    writeDatabase(
      'ALTER TABLE link_target DROP COLUMN confirm; DROP TABLE attempts_by_hour; DROP TABLE move_mark; PRAGMA user_version = 1',
    );
    await (await open()).close();
    assert.equal(versionOf(), STEPS);
    assert.deepEqual(await readSqliteStore(path, recountStore), { differences: [], attempts: 3 });
    assert.equal(readDatabase(path, (db) => db.prepare('SELECT * FROM attempts_by_hour').all()).length, 2);
  });

  test('of an earlier version leaves its links without a confirmation page', async () => {
    const store = await open();
    await store.create(redirectLink(codeOf(1)));
    await store.close();
    writeDatabase(
      'ALTER TABLE link_target DROP COLUMN confirm; DROP TABLE move_mark; PRAGMA user_version = 2',
    );
    const again = await open();
    assert.equal((await again.find(codeOf(1)))?.confirm, false);
    await again.create({ ...redirectLink(codeOf(2)), confirm: true });
    assert.equal((await again.read(codeOf(2)))?.confirm, true);
    await again.close();
  });

  test('by several at once on a new file migrates it once', async () => {
    const openings = await Promise.allSettled(Array.from({ length: 4 }, open));
    assert.deepEqual(
      openings.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
    );
    assert.equal(versionOf(), STEPS);
    const stores = openings.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []));
    const results = await Promise.all(stores.map((store) => store.create(redirectLink(codeOf(1)))));
    assert.equal(results.filter((result) => result === 'created').length, 1);
  });

  test('waits for another program that creates the same file', async () => {
    mkdirSync(join(world, 'data'));
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    await assert.rejects(openSqliteStore({ path, busyTimeoutMs: 200 }), /database is locked/);
    assert.ok(performance.now() - startedAt >= 200, 'it waited until the time-out');
    other.exec('COMMIT');
    other.close();
    await (await open()).close();
  });

  test('refuses a schema newer than the program, and leaves it unchanged', async () => {
    const store = await open();
    await store.close();
    writeDatabase(`PRAGMA user_version = ${STEPS + 1}`);
    const schema = schemaOf();
    await assert.rejects(open(), (error) => {
      assert.ok(error instanceof Error);
      assert.match(
        error.message,
        new RegExp(`schema version ${STEPS + 1}, this program knows up to ${STEPS}\\.`),
      );
      assert.match(error.message, /newer version of Postern.*restore a backup/);
      return true;
    });
    assert.equal(versionOf(), STEPS + 1);
    assert.deepEqual(schemaOf(), schema);
  });

  test('fails on a file that is no database, and leaves it unchanged', async () => {
    mkdirSync(join(world, 'data'));
    writeDatabase('CREATE TABLE precious (data TEXT)');
    const before = schemaOf();
    writeDatabase('CREATE TABLE link (other TEXT)');
    await assert.rejects(open(), /link/);
    assert.equal(versionOf(), 0);
    writeDatabase('DROP TABLE link');
    assert.deepEqual(schemaOf(), before, 'a step that fails leaves nothing of those before it');
  });

  test('makes the file, its log and their directory unreadable for other users', async () => {
    const store = await open();
    await store.create(redirectLink(codeOf(1)));
    const modes = readdirSync(join(world, 'data')).map((name) => [name, modeOf(join(world, 'data', name))]);
    assert.deepEqual(Object.fromEntries(modes), {
      'postern.db': 0o600,
      'postern.db-shm': 0o600,
      'postern.db-wal': 0o600,
    });
    assert.equal(modeOf(join(world, 'data')), 0o700);
    await store.close();
  });

  test('closing checkpoints the log, so that a backup needs only the file', async () => {
    const store = await open();
    await store.create(redirectLink(codeOf(1)));
    await store.close();
    assert.deepEqual(readdirSync(join(world, 'data')), ['postern.db']);
  });

  test('closing commits the waiting items, and fulfils their promises', async () => {
    const store = await open();
    await store.create(redirectLink(codeOf(1), { maxViews: 5 }));
    const outcomes = Promise.all(Array.from({ length: 1000 }, () => store.attempt(attemptOn(codeOf(1)))));
    await store.close();
    assert.equal((await outcomes).filter(({ verdict }) => verdict === 'SUCCESS').length, 5);
    assert.equal(readAudit(path).length, 1000);
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
