import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { checkIntegrity } from '../../../src/stores/sqlite/check-integrity.ts';
import { APPLICATION_ID } from '../../../src/stores/sqlite/database-file.ts';
import { findDifferences } from '../../../src/tools/commands/verify-store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { startProgram } from '../../support/process.ts';
import { temporaryDirectory, testConfig } from '../../support/service.ts';
import { readDatabase } from '../../support/sqlite-harness.ts';
import { sqlitePlace } from '../../support/store-places.ts';

/** Runs SQL on a file that need not exist. */
function execute(path: string, sql: string): void {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(sql);
  db.close();
}

/** Leaves a write-ahead log, as another program that was killed would. */
function executeAndDie(path: string, sql: string): void {
  const [running, killed] = [`${path}.running`, ['', '-wal']];
  const db = new DatabaseSync(running, { timeout: 5_000 });
  db.exec(`PRAGMA journal_mode = WAL; ${sql}`);
  for (const suffix of killed) copyFileSync(running + suffix, path + suffix);
  db.close();
}

const FOREIGN: [what: string, make: (path: string) => void, refusal: RegExp][] = [
  [
    'a database of another program',
    (path) => execute(path, 'CREATE TABLE precious (data TEXT)'),
    /another program \(application_id 0, tables precious\)/,
  ],
  [
    'a database of another program in WAL mode',
    (path) =>
      execute(
        path,
        'PRAGMA journal_mode = WAL; CREATE TABLE link (a); CREATE TABLE b (a); CREATE TABLE c (a); CREATE TABLE d (a)',
      ),
    /another program \(application_id 0, tables link, b, c and 1 more\)/,
  ],
  [
    'a database of another program with the same version',
    (path) => execute(path, 'CREATE TABLE link (a); CREATE TABLE audit (a); PRAGMA user_version = 5'),
    /another program/,
  ],
  [
    'a database whose application_id is that of another program',
    (path) => execute(path, 'PRAGMA application_id = 42'),
    /another program \(application_id 42, no tables\)/,
  ],
  ['a text', (path) => writeFileSync(path, 'a letter', { mode: 0o644 }), /not a database of SQLite/],
  ['a large file of zeros', (path) => writeFileSync(path, Buffer.alloc(8_192)), /not a database of SQLite/],
  ['a directory', (path) => mkdirSync(path), /not a file/],
  [
    'a symbolic link to nothing',
    (path) => symlinkSync('nowhere.db', path),
    /symbolic link to a file that does not exist/,
  ],
];

/** Returns names, modes, times and hashes of everything in a directory. */
function snapshot(directory: string) {
  return readdirSync(directory).map((name) => {
    const path = join(directory, name);
    const { mode, mtimeMs, ino } = lstatSync(path);
    const isFile = lstatSync(path).isFile();
    const hash = isFile && createHash('sha256').update(readFileSync(path)).digest('hex');
    return { name, mode, mtimeMs, ino, hash };
  });
}

/** Everything that opens a database, by what it is for. */
function openings(t: TestContext, path: string): Record<string, () => Promise<unknown>> {
  const { openStore, target, recount } = sqlitePlace(t, path);
  const elsewhere = temporaryDirectory(t);
  mkdirSync(join(elsewhere, 'files'));
  const config = testConfig(elsewhere, `--app.database.url=sqlite:${path}`);
  return {
    service: openStore,
    verify: () => findDifferences(config),
    recount,
    'check of its integrity': async () => checkIntegrity(path, 1),
    'target of a move': target,
  };
}

/** Fills a store and stops it. */
async function makeStore(t: TestContext): Promise<{ directory: string; path: string }> {
  const directory = temporaryDirectory(t);
  const { path, openStore } = sqlitePlace(t, join(directory, 'postern.db'));
  const store = await openStore();
  await store.create(redirectLink(codeOf(1)), newChange());
  await store.attempt(attemptOn(codeOf(1)));
  await store.close();
  return { directory, path };
}

describe('a database file that is not a store', () => {
  for (const [what, make, refusal] of FOREIGN) {
    test(`${what} is refused by everything that opens it, and unchanged`, async (t) => {
      const directory = temporaryDirectory(t);
      const path = join(directory, 'postern.db');
      make(path);
      const before = snapshot(directory);
      for (const [use, open] of Object.entries(openings(t, path))) {
        await assert.rejects(open, refusal, use);
        assert.deepEqual(snapshot(directory), before, use);
      }
    });
  }

  test('a database of another program that was killed is refused, and keeps its log', async (t) => {
    const directory = temporaryDirectory(t);
    const path = join(directory, 'postern.db');
    executeAndDie(path, 'CREATE TABLE precious (data TEXT)');
    // SQLite cannot read a log without its index, which the next program to open the file makes again.
    const withoutIndex = () => snapshot(directory).filter(({ name }) => !name.endsWith('-shm'));
    const before = withoutIndex();
    for (const [use, open] of Object.entries(openings(t, path))) {
      await assert.rejects(open, /another program/, use);
      assert.deepEqual(withoutIndex(), before, use);
    }
  });

  test('a file without permission to read is refused', async (t) => {
    const directory = temporaryDirectory(t);
    const path = join(directory, 'postern.db');
    execute(path, '');
    writeFileSync(path, 'secret');
    chmodSync(path, 0);
    chmodSync(directory, 0o755);
    const { stdout } = await startProgram(t, [
      '--input-type=module',
      '--eval',
      `import { hasStore } from './src/stores/sqlite/database-file.ts';
       if (process.getuid() === 0) process.setuid(65534); // root may read any file
       try { hasStore(${JSON.stringify(path)}) } catch (error) { console.log(error.message) }`,
    ]).exited;
    assert.match(
      stdout,
      /^the file cannot be read \(EACCES: .*\); let the user of the service read and write it$/m,
    );
  });
});

describe('a database file that has lost its data', () => {
  const LOSSES: [what: string, lose: (path: string) => void][] = [
    ['missing', (path) => renameSync(path, `${path}.lost`)],
    ['empty', (path) => truncateSync(path)],
  ];
  for (const [what, lose] of LOSSES) {
    const suffixes = ['-wal', '-shm', ...(what === 'missing' ? ['-journal'] : [])];
    for (const suffix of suffixes) {
      test(`a database that is ${what} is refused while its ${suffix} exists, which stays`, async (t) => {
        const { directory, path } = await makeStore(t);
        lose(path);
        writeFileSync(path + suffix, 'committed');
        const before = snapshot(directory);
        for (const [use, open] of Object.entries(openings(t, path))) {
          await assert.rejects(
            open,
            /missing or empty, but \S+ (\S+ )?(is|are) still there: put the database back/,
            use,
          );
          assert.deepEqual(snapshot(directory), before, use);
        }
      });
    }
  }

  test('a database of which only the lock is left is created anew, because no commit can be in it', async (t) => {
    for (const [, lose] of LOSSES) {
      const { directory, path } = await makeStore(t);
      lose(path);
      assert.ok(snapshot(directory).some(({ name }) => name.endsWith('-lock')));
      assert.equal(await (await sqlitePlace(t, path).openStore()).find(codeOf(1)), undefined);
    }
  });

  test('the remains of a database are listed, with both steps to a new one', async (t) => {
    const { path } = await makeStore(t);
    renameSync(path, `${path}.lost`);
    for (const suffix of ['-wal', '-shm']) writeFileSync(path + suffix, 'committed');
    const { openStore } = sqlitePlace(t, path);
    await assert.rejects(
      openStore,
      /-wal, \S+-shm are still there: .*; to create a new one, move these files away, and uploaded files if there are any$/,
    );
  });

  test('the error of a database that was never checkpointed names its lost log', async (t) => {
    const directory = temporaryDirectory(t);
    const { path, openStore } = sqlitePlace(t, join(directory, 'postern.db'));
    const store = await openStore();
    await store.create(redirectLink(codeOf(1)), newChange());
    const young = join(temporaryDirectory(t), 'young.db');
    for (const suffix of ['', '-lock']) copyFileSync(path + suffix, young + suffix);
    await store.close();
    await assert.rejects(
      sqlitePlace(t, young).openStore,
      /^Error: the database has no tables, because its log \S+young\.db-wal is missing or cut: put the log back, or/,
    );
  });

  test('a database that has been put back opens with every commit of its log', async (t) => {
    const directory = temporaryDirectory(t);
    const { path, openStore } = sqlitePlace(t, join(directory, 'postern.db'));
    const store = await openStore();
    await store.create(redirectLink(codeOf(1)), newChange());
    const killed = join(directory, 'killed.db');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix);
    await store.close();
    renameSync(killed, `${killed}.lost`);
    const lost = sqlitePlace(t, killed);
    await assert.rejects(lost.openStore, /put the database back/);
    renameSync(`${killed}.lost`, killed);
    const found = await (await lost.openStore()).find(codeOf(1));
    assert.equal(found?.shortCode, codeOf(1));
  });
});

describe('the application id of a store', () => {
  const idOf = (path: string) =>
    readDatabase(path, (db) => db.prepare('PRAGMA application_id').get()?.['application_id']);

  test('a new store has it', async (t) => {
    const { path } = await makeStore(t);
    assert.equal(idOf(path), APPLICATION_ID);
    assert.equal(Buffer.from(APPLICATION_ID.toString(16), 'hex').toString(), 'PSTN');
  });

  test('a symbolic link to a store opens it', async (t) => {
    const { directory, path } = await makeStore(t);
    symlinkSync(path, join(directory, 'link.db'));
    const { openStore, readAudit } = sqlitePlace(t, join(directory, 'link.db'));
    await (await openStore()).attempt(attemptOn(codeOf(1)));
    assert.equal((await readAudit()).length, 2);
  });
});
