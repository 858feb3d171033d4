import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openKeyStore, openStores } from '../../src/open-stores.ts';
import { attemptOn, codeOf, fileIdOf, newChange, redirectLink } from '../support/attempts.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startProgram } from '../support/process.ts';
import { startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory, testConfig } from '../support/service.ts';

const REFUSED_FILES =
  /there is no database, but app\.storage\.\w+ \S+ has uploaded files: .*restore it.*--init/;

/** Opens and closes the stores that flags name, in a directory. */
async function openAndClose(directory: string, ...flags: string[]): Promise<void> {
  const { store } = await openStores(testConfig(directory, ...flags));
  await store.close();
}

/** Leaves a file that an earlier service has stored. */
function storeFile(storagePath: string): void {
  const fileId = fileIdOf(1);
  const leaf = join(storagePath, fileId.slice(0, 2), fileId.slice(2, 4));
  mkdirSync(leaf, { recursive: true });
  writeFileSync(join(leaf, fileId), 'content');
}

describe('a database that does not exist', () => {
  const FRESH: [what: string, prepare: (directory: string) => void][] = [
    ['in a directory that does not exist', (directory) => rmSync(directory, { recursive: true })],
    ['in an empty directory', () => {}],
    [
      'next to an empty storage directory',
      (directory) => mkdirSync(join(directory, 'files', 'incoming'), { recursive: true }),
    ],
    ['on a disk of its own', (directory) => mkdirSync(join(directory, 'lost+found'))],
    [
      'after a start that was killed',
      (directory) => {
        for (const suffix of ['', '-journal']) writeFileSync(join(directory, `postern.db${suffix}`), '');
      },
    ],
  ];
  for (const [where, prepare] of FRESH) {
    test(`is created ${where}`, async (t) => {
      const directory = temporaryDirectory(t);
      prepare(directory);
      await openAndClose(directory);
      assert.ok(existsSync(join(directory, 'postern.db')));
    });
  }

  test('is created in the storage directory', async (t) => {
    const directory = temporaryDirectory(t);
    const path = join(directory, 'files', 'postern.db');
    mkdirSync(join(directory, 'files', 'incoming'), { recursive: true });
    await openAndClose(directory, `--app.database.url=sqlite:${path}`);
    assert.ok(existsSync(path));
  });

  test('is refused next to other files, unless --init says that it is new', async (t) => {
    const directory = temporaryDirectory(t);
    for (const name of ['a.db', 'b', 'c', 'd', 'e']) writeFileSync(join(directory, name), '');
    const before = readdirSync(directory);
    await assert.rejects(
      openAndClose(directory),
      /^Error: app\.database\.url sqlite:\S+: there is no database, but the directory \S+ has other entries \(a\.db, b, c and 2 more\): .*--init/,
    );
    assert.deepEqual(readdirSync(directory), before);
    await openAndClose(directory, '--init');
    await openAndClose(directory);
  });

  test('is created next to a storage directory whose path has a symbolic link', async (t) => {
    const directory = temporaryDirectory(t);
    mkdirSync(join(directory, 'real', 'files'), { recursive: true });
    symlinkSync(join(directory, 'real'), join(directory, 'link'));
    await openAndClose(join(directory, 'link'), `--app.database.url=sqlite:${directory}/real/postern.db`);
    assert.ok(existsSync(join(directory, 'real', 'postern.db')));
  });

  test('is refused while files are stored, unless --init says that it is new', async (t) => {
    const directory = temporaryDirectory(t);
    storeFile(join(directory, 'files'));
    const config = testConfig(directory, `--app.database.url=sqlite:${directory}/data/postern.db`);
    await assert.rejects(openStores(config), REFUSED_FILES);
    await assert.rejects(openKeyStore(config, { isCreated: true }), REFUSED_FILES);
    assert.ok(!existsSync(join(directory, 'data')));
    await openAndClose(directory, `--app.database.url=sqlite:${directory}/data/postern.db`, '--init');
    await openAndClose(directory, `--app.database.url=sqlite:${directory}/data/postern.db`);
  });

  test('is refused by --init too while the log of an earlier one exists', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'postern.db-wal'), 'committed');
    await assert.rejects(
      openAndClose(directory, '--init'),
      /postern\.db-wal is still there: .*move these files away/,
    );
    assert.deepEqual(readdirSync(directory), ['postern.db-wal']);
  });

  test('is refused while a bucket has files', async (t) => {
    const server = await startS3Server();
    t.after(() => server.stop());
    const directory = temporaryDirectory(t);
    const flags = [...server.flags];
    const { store, files } = await openStores(testConfig(directory, ...flags));
    await files.save(
      fileIdOf(1),
      (async function* () {
        yield Buffer.from('content');
      })(),
    );
    await store.close();
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
    await assert.rejects(openAndClose(directory, ...flags), REFUSED_FILES);
    await openAndClose(directory, ...flags, '--init');
  });

  test('is refused by the service with a text and exit code 1, and created with --init', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'notes.txt'), '');
    const flags = [
      '--server.host=192.0.2.1', // a service that does create a database ends here
      `--app.database.url=sqlite:${directory}/postern.db`,
      `--app.storage.path=${directory}/files`,
    ];
    const seed = () => startProgram(t, ['src/commands/seed.ts', ...flags]).exited;
    const service = await startProgram(t, ['src/main.ts', ...flags]).exited;
    assert.deepEqual([service.code, service.stdout], [1, '']);
    assert.match(
      service.stderr,
      /^Postern cannot start:\n {2}- app\.database\.url sqlite:.*\(notes\.txt\): .*--init to this start only\n$/,
    );
    assert.equal((await seed()).code, 1);
    const created = await startProgram(t, ['src/main.ts', ...flags, '--init']).exited;
    assert.match(created.stderr, /192\.0\.2\.1/);
    assert.ok(existsSync(join(directory, 'postern.db')));
  });
});

describe('a PostgreSQL database without a store', () => {
  async function emptyDatabase(t: TestContext): Promise<{ directory: string; flags: string[] }> {
    const { url } = await temporarySchema(t);
    return { directory: temporaryDirectory(t), flags: [`--app.database.url=${url}`] };
  }

  test('is filled by instances that start together', async (t) => {
    const { directory, flags } = await emptyDatabase(t);
    await Promise.all([openAndClose(directory, ...flags), openAndClose(directory, ...flags)]);
  });

  test('is refused while files are stored, unless --init says that it is new', async (t) => {
    const { directory, flags } = await emptyDatabase(t);
    storeFile(join(directory, 'files'));
    const config = testConfig(directory, ...flags);
    await assert.rejects(openStores(config), REFUSED_FILES);
    await assert.rejects(openKeyStore(config, { isCreated: true }), REFUSED_FILES);
    await openAndClose(directory, ...flags, '--init');
    await openAndClose(directory, ...flags);
  });
});

test('a database that exists opens next to other files and with stored ones', async (t) => {
  const directory = temporaryDirectory(t);
  const { store } = await openStores(testConfig(directory));
  await store.create(redirectLink(codeOf(1)), newChange());
  await store.close();
  storeFile(join(directory, 'files'));
  writeFileSync(join(directory, 'notes.txt'), '');
  for (const flags of [[], ['--init']]) {
    const again = await openStores(testConfig(directory, ...flags));
    assert.equal((await again.store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    await again.store.close();
  }
});
