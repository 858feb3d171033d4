import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openForWriting } from '../../../src/stores/sqlite/connection.ts';
import { watchFile } from '../../../src/stores/sqlite/watch-file.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  apiKey,
  attemptOn,
  codeOf,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { until } from '../../support/http-client.ts';
import { createLink, openLink } from '../../support/links.ts';
import { startService, temporaryDirectory } from '../../support/service.ts';
import { openSqliteHarness, readAudit } from '../../support/sqlite-harness.ts';
import { sqlitePlace } from '../../support/store-places.ts';

/** Every operation of a store that commits, with a link that exists. */
function commits(store: Store): Record<string, () => Promise<unknown>> {
  return {
    create: () => store.create(redirectLink(codeOf(2)), newChange()),
    attempt: () => store.attempt(attemptOn(codeOf(1))),
    revoke: () => store.revoke(codeOf(1), newChange()),
    expireDue: () => store.expireDue(START + 1, 10),
    begin: () => store.begin(fileIdOf(1), START),
    abandon: () => store.abandon(fileIdOf(1)),
    claimStale: () => store.claimStale(START + 1, 10),
    delete: () => store.delete(fileIdOf(1)),
    addKey: () => store.keys.addKey(apiKey('ci')),
    revokeKey: () => store.keys.revokeKey('ci', START),
    recordKeyUse: () => store.keys.recordKeyUse('ci', START),
  };
}

describe('a database file that is moved while the store is open', () => {
  const LOSSES: [what: string, lose: (path: string) => void][] = [
    ['moved', () => {}],
    ['replaced by another file', (path) => writeFileSync(path, 'another file')],
    ['replaced by an empty file', (path) => writeFileSync(path, '')],
  ];
  for (const [what, replace] of LOSSES) {
    for (const suffix of ['', '-wal']) {
      const file = suffix === '' ? 'its file' : 'its log';
      test(`a store refuses every commit while ${file} is ${what}, and works when it is back`, async () => {
        await using harness = await openSqliteHarness();
        const { store, path } = harness;
        await store.create(redirectLink(codeOf(1)), newChange());
        const place = path + suffix;
        renameSync(place, `${place}.moved`);
        replace(place);
        assert.deepEqual(await store.findProblems(), ['database_file_missing']);
        for (const [name, commit] of Object.entries(commits(store)))
          await assert.rejects(commit, /was moved, deleted or replaced .* put it back/, name);
        assert.equal((await store.find(codeOf(1)))?.shortCode, codeOf(1), 'reads work');
        renameSync(`${place}.moved`, place);
        assert.deepEqual(await store.findProblems(), []);
        assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
        assert.equal((await harness.readAudit()).length, 1, 'a refused attempt leaves no record');
      });
    }
  }

  test('a service notices it with the jobs of the next minute, refuses changes, and goes on once it is back', async (t) => {
    const service = await startService(t);
    const shortCode = await createLink(service);
    const { databasePath } = service;
    renameSync(databasePath, `${databasePath}.moved`);
    await service.startJobs(); // which runs those of the minute
    const [problem] = service.logged().filter(({ msg }) => msg === 'problem_found');
    assert.equal(problem?.['problem'], 'database_file_missing');
    assert.equal((await openLink(service, shortCode)).status, 503);
    renameSync(`${databasePath}.moved`, databasePath);
    await until(async () => (await openLink(service, shortCode)).status === 302);
    assert.equal(readAudit(databasePath).length, 1, 'a refused attempt leaves no record');
  });

  test('a store whose file is deleted leaves its log, and is not replaced by a new one', async (t) => {
    const { path, openStore } = sqlitePlace(t);
    const store = await openStore();
    await store.create(redirectLink(codeOf(1)), newChange());
    rmSync(path);
    assert.deepEqual(await store.findProblems(), ['database_file_missing']);
    await store.close();
    await assert.rejects(openStore, /-wal, .* are still there: put the database back/);
  });
});

describe('a database whose files cannot be examined', () => {
  const OBSTACLES: [what: string, make: (directory: string) => void][] = [
    ['a file in the place of its directory', (directory) => writeFileSync(directory, '')],
    ['a loop of symbolic links in the place of its directory', (directory) => symlinkSync('data', directory)],
  ];
  for (const [what, obstruct] of OBSTACLES) {
    test(`a store reports ${what}, and refuses every commit`, async () => {
      await using harness = await openSqliteHarness();
      const { store, path } = harness;
      const directory = dirname(path);
      renameSync(directory, `${directory}.moved`);
      obstruct(directory);
      assert.deepEqual(await store.findProblems(), ['database_file_missing']);
      await assert.rejects(store.attempt(attemptOn(codeOf(1))), /put it back/);
      rmSync(directory);
      renameSync(`${directory}.moved`, directory);
      assert.deepEqual(await store.findProblems(), []);
    });
  }
});

describe('an operation on a database that takes no writes', () => {
  test('a failing operation is a problem until a write succeeds, also if it is asynchronous', async (t) => {
    const { db, watch } = watchedDatabase(t);
    const write = watch.guard(async () => db.exec('INSERT INTO link VALUES (1)'));
    db.exec('PRAGMA query_only = ON');
    assert.deepEqual(watch.findProblems(), []);
    await assert.rejects(write(), /readonly/);
    assert.deepEqual(watch.findProblems(), ['database_not_writable']);
    db.exec('PRAGMA query_only = OFF');
    assert.deepEqual(watch.findProblems(), []);
  });
});

/** Opens a database with one table, and watches its file. */
function watchedDatabase(t: TestContext) {
  const path = join(temporaryDirectory(t), 'postern.db');
  const db = openForWriting(path);
  t.after(() => db.isOpen && db.close());
  db.exec('CREATE TABLE link (a)');
  return { db, path, watch: watchFile(db, path) };
}

describe('a database file that is truncated while the store is open', () => {
  test('an empty file is reported as missing', async () => {
    await using harness = await openSqliteHarness();
    truncateSync(harness.path);
    assert.deepEqual(await harness.store.findProblems(), ['database_file_missing']);
    await assert.rejects(harness.store.attempt(attemptOn(codeOf(1))), /put it back/);
  });
});
