import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import { schemaContract } from '../../contract/schema.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { readAudit, readDatabase } from '../../support/sqlite-harness.ts';
import { sqlitePlace } from '../../support/store-places.ts';

schemaContract('an embedded store', {
  makePlace: sqlitePlace,
  readSchema: ({ path }) => schemaOf(path),
  setVersion: (version) => `PRAGMA user_version = ${version}`,
});

describe('opening an embedded store', () => {
  test('opening creates the file and its directories, unreadable for other users', async (t) => {
    const { path, openStore } = sqlitePlace(t, join(temporaryDirectory(t), 'data', 'postern.db'));
    const store = await openStore();
    const result = await store.create(redirectLink(codeOf(1)), newChange());
    const directory = dirname(path);
    const modes = readdirSync(directory).map((name) => [name, modeOf(join(directory, name))]);
    await store.close();
    assert.equal(result, 'created');
    assert.deepEqual(Object.fromEntries(modes), {
      'postern.db': 0o600,
      'postern.db-lock': 0o600,
      'postern.db-shm': 0o600,
      'postern.db-wal': 0o600,
    });
    assert.equal(modeOf(directory), 0o700);
    assert.deepEqual(
      readdirSync(directory),
      ['postern.db', 'postern.db-lock'],
      'the log is part of the file',
    );
  });

  test('opening takes an empty file as a new database', async (t) => {
    const { openStore, run } = sqlitePlace(t);
    await run('');
    const store = await openStore();
    const result = await store.create(redirectLink(codeOf(1)), newChange());
    await store.close();
    assert.equal(result, 'created');
  });

  test('opening waits for another program that creates the same file', async (t) => {
    const { path, openStore } = sqlitePlace(t);
    const other = new DatabaseSync(path, { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    await assert.rejects(openSqliteStore({ path, busyTimeoutMs: 200 }), /database is locked/);
    assert.ok(performance.now() - startedAt >= 200, 'it waited until the time-out');
    other.exec('COMMIT');
    other.close();
    await (await openStore()).close();
  });

  test("opening fails among another program's tables, and leaves them unchanged", async (t) => {
    const { path, openStore, run, schemaVersion } = sqlitePlace(t);
    await run('CREATE TABLE precious (data TEXT)');
    const before = schemaOf(path);
    await run('CREATE TABLE link (other TEXT)');
    await assert.rejects(openStore(), /link/);
    assert.equal(await schemaVersion(), 0);
    await run('DROP TABLE link');
    assert.deepEqual(schemaOf(path), before, 'a step that fails leaves nothing of those before it');
  });

  test('opening refuses a second service', async (t) => {
    const { path, openStore } = sqlitePlace(t);
    const service = await openStore();
    await assert.rejects(
      openSqliteStore({ path, lockTimeoutMs: 50 }),
      /another service or a command, .*, uses this database: stop it, or name another file in app\.database\.url/,
    );
    await service.close();
    await (await openSqliteStore({ path, lockTimeoutMs: 0 })).close();
  });

  test('a store that is closed commits the waiting items, and fulfils their promises', async (t) => {
    const { path, openStore } = sqlitePlace(t);
    const store = await openStore();
    await store.create(redirectLink(codeOf(1), { maxViews: 5 }), newChange());
    const outcomes = Promise.all(Array.from({ length: 1000 }, () => store.attempt(attemptOn(codeOf(1)))));
    await store.close();
    assert.equal((await outcomes).filter(({ verdict }) => verdict === 'SUCCESS').length, 5);
    assert.equal(readAudit(path).length, 1000);
  });
});

function schemaOf(path: string): unknown {
  return readDatabase(path, (db) =>
    db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
  );
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
