import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { openLinkStore, openStores } from '../../src/service/open-stores.ts';
import { attemptOn, codeOf, fileIdOf, newChange, redirectLink } from '../support/attempts.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { logLines, startProgram, startServiceProcess } from '../support/process.ts';
import { startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory, testConfig } from '../support/service.ts';

const REFUSED_FILES =
  /there is no database, but app\.storage\.\w+ \S+ has uploaded files: mount its disk, .*; to create a new one, move these files away,/;
const REFUSED_MISSING =
  /there is no database, and app\.database\.must-exist is true: mount its disk, .*; to create a new one, start the service, once with --app\.database\.must-exist=false$/;

/** Opens and closes the stores that flags name, in a directory. */
async function openAndClose(directory: string, ...flags: string[]): Promise<void> {
  const { store } = await openStores(testConfig(directory, ...flags));
  await store.close();
}

/** Leaves a file that an earlier service has stored. */
function leaveFile(storagePath: string): void {
  const fileId = fileIdOf(1);
  const leaf = join(storagePath, fileId.slice(0, 2), fileId.slice(2, 4));
  mkdirSync(leaf, { recursive: true });
  writeFileSync(join(leaf, fileId), 'content');
}

const MUST_EXIST = '--app.database.must-exist=true';

describe('a database that does not exist', () => {
  const write = (directory: string, ...names: string[]) => {
    for (const name of names) writeFileSync(join(directory, name), 'content');
  };
  const make = (directory: string, ...names: string[]) => {
    for (const name of names) mkdirSync(join(directory, name), { recursive: true });
  };
  /** The files before an ordinary first start. */
  const ORDINARY: [where: string, prepare: (directory: string) => void][] = [
    ['in a directory that does not exist', (directory) => rmSync(directory, { recursive: true })],
    ['next to an empty storage directory', (directory) => make(directory, 'files/incoming', 'files/ab/cd')],
    [
      'next to files and directories of other programs',
      (directory) => {
        make(directory, 'lost+found', '.git', 'src', 'files/lost+found');
        write(directory, 'postern.log', '.bashrc', 'other.db', 'other.db-wal', 'other.db-journal');
      },
    ],
    [
      'next to files that are no uploads of the service',
      (directory) => {
        make(directory, 'files/ab/cd', 'files/photos');
        write(
          directory,
          'files/README',
          'files/ab/cd/notes.txt',
          'files/photos/1.jpg',
          `files/${fileIdOf(1)}`,
        );
      },
    ],
    [
      'after a first start that was killed',
      (directory) => {
        writeFileSync(join(directory, 'postern.db'), '');
        write(directory, 'postern.db-journal');
      },
    ],
  ];
  for (const [where, prepare] of ORDINARY) {
    test(`a missing database is created ${where}`, async (t) => {
      const directory = temporaryDirectory(t);
      prepare(directory);
      let created = 0;
      const onDatabaseCreated = () => (created += 1);
      const open = async () => (await openStores(testConfig(directory), { onDatabaseCreated })).store.close();
      await open();
      await open();
      assert.equal(created, 1);
    });
  }

  test('a missing database is created next to a store that is open, with files of its own', async (t) => {
    const directory = temporaryDirectory(t);
    const { store } = await openStores(testConfig(directory));
    leaveFile(join(directory, 'files'));
    const flags = [`--app.database.url=sqlite:${directory}/second.db`];
    const { storage, ...config } = testConfig(directory, ...flags);
    assert.ok(storage.kind === 'directory');
    const second = await openStores({ ...config, storage: { ...storage, path: join(directory, 'others') } });
    await second.store.close();
    await store.close();
    assert.ok(existsSync(join(directory, 'second.db')));
  });

  test('a missing database is created in the storage directory', async (t) => {
    const directory = temporaryDirectory(t);
    const path = join(directory, 'files', 'postern.db');
    mkdirSync(join(directory, 'files', 'incoming'), { recursive: true });
    await openAndClose(directory, `--app.database.url=sqlite:${path}`);
    assert.ok(existsSync(path));
  });

  test('a missing database is refused, and nothing is created, where it must exist', async (t) => {
    const directory = join(temporaryDirectory(t), 'unmounted');
    const config = testConfig(directory, MUST_EXIST);
    await assert.rejects(openStores(config), REFUSED_MISSING);
    await assert.rejects(openLinkStore(config), REFUSED_MISSING);
    assert.ok(!existsSync(directory));
    await openAndClose(directory, '--app.database.must-exist=false');
    await openAndClose(directory, MUST_EXIST);
  });

  test('a missing database is created next to a storage directory whose path has a symbolic link', async (t) => {
    const directory = temporaryDirectory(t);
    mkdirSync(join(directory, 'real', 'files'), { recursive: true });
    symlinkSync(join(directory, 'real'), join(directory, 'link'));
    await openAndClose(join(directory, 'link'), `--app.database.url=sqlite:${directory}/real/postern.db`);
    assert.ok(existsSync(join(directory, 'real', 'postern.db')));
  });

  test('a missing database is refused while files are stored that no database knows', async (t) => {
    const directory = temporaryDirectory(t);
    leaveFile(join(directory, 'files'));
    const config = testConfig(directory, `--app.database.url=sqlite:${directory}/data/postern.db`);
    await assert.rejects(openStores(config), REFUSED_FILES);
    await assert.rejects(openLinkStore(config), REFUSED_FILES);
    assert.ok(!existsSync(join(directory, 'data')));
    renameSync(join(directory, 'files'), join(directory, 'files-of-before'));
    await openAndClose(directory, `--app.database.url=sqlite:${directory}/data/postern.db`);
  });

  test('a missing database is refused while a bucket has files', async (t) => {
    const server = await startS3Server();
    t.after(() => server.stop());
    const directory = temporaryDirectory(t);
    const flags = [...server.flags];
    const { store, files } = await openStores(testConfig(directory, ...flags));
    await storeFile(files, fileIdOf(1), Readable.from([Buffer.from('content')]));
    await store.close();
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
    await assert.rejects(openAndClose(directory, ...flags), REFUSED_FILES);
    await files.remove(fileIdOf(1));
    await openAndClose(directory, ...flags);
  });

  /** Root may write anywhere. */
  const LEAVE_ROOT = `import { isMainThread } from 'node:worker_threads';
    if (isMainThread && process.getuid() === 0) process.setuid(65534);`;

  test('a directory of the database that the service may not write is reported with what to do', async (t) => {
    const directory = temporaryDirectory(t);
    mkdirSync(join(directory, 'of-root'));
    chmodSync(join(directory, 'of-root'), 0o555);
    chmodSync(directory, 0o755);
    for (const path of ['of-root/postern.db', 'of-root/data/postern.db']) {
      const { stderr } = await startProgram(t, [
        `--import=data:text/javascript,${encodeURIComponent(LEAVE_ROOT)}`,
        ...['cli/main.ts', 'people', 'add', 'ada', '--scopes=read', '--app.database.must-exist=false'],
        `--app.database.url=sqlite:${directory}/${path}`,
      ]).exited;
      assert.match(
        stderr,
        /app\.database\.url sqlite:\S+: EACCES: .*; let the user of the service write to the directory of the database, or name another place$/m,
      );
    }
  });

  test('a missing database is refused by every program with a text and exit code 1', async (t) => {
    const directory = temporaryDirectory(t);
    const flags = [
      `--app.database.url=sqlite:${directory}/postern.db`,
      `--app.storage.path=${directory}/files`,
    ];
    writeFileSync(join(directory, 'links.csv'), 'targetUrl\nhttps://a.example/\n');
    for (const command of [
      ['serve', MUST_EXIST],
      ['seed', MUST_EXIST],
      // Only the service creates a database by itself: a command may be in the wrong directory.
      ['seed'],
      ['people', 'add', 'ada', '--scopes=read'],
      ['people', 'scopes', 'ada', '--scopes=read'],
      ['people', 'list'],
      ['keys', 'create', 'ci', '--scopes=read'],
      ['import', 'csv', join(directory, 'links.csv')],
      ['erase', '--link=a'],
    ]) {
      const { code, stdout, stderr } = await startProgram(t, ['cli/main.ts', ...command, ...flags]).exited;
      assert.deepEqual([code, stdout], [1, '']);
      const expected = command.includes(MUST_EXIST)
        ? /^.*:\n {2}- app\.database\.url sqlite:\S+: there is no database, and app\.database\.must-exist is true: /
        : /^.*:\n {2}- app\.database\.url sqlite:\S+: there is no store at \/\S+: start the service once, or set app\.database\.url to that of the service$/m;
      assert.match(stderr, expected);
    }
    assert.deepEqual(readdirSync(directory), ['links.csv']);
  });

  test('a missing database is created by the service with a line in the log and at the start', async (t) => {
    const directory = temporaryDirectory(t);
    const start = async (...flags: string[]) => {
      const service = await startServiceProcess(t, directory, { flags });
      service.signal('SIGTERM');
      const { stdout, stderr } = await service.exited;
      const created = logLines(stdout).filter(({ msg }) => msg === 'database_created');
      return { created: created.map(({ database }) => database), stderr };
    };
    const database = `sqlite:${directory}/postern.db`;
    const first = await start();
    assert.deepEqual(first.created, [database]);
    assert.match(first.stderr, new RegExp(`^ {2}Database {3}${database} is new: there was none$`, 'm'));
    const second = await start(MUST_EXIST);
    assert.deepEqual(second.created, []);
    assert.doesNotMatch(second.stderr, /is new/);
  });
});

describe('a PostgreSQL database without a store', () => {
  async function emptyDatabase(t: TestContext): Promise<{ directory: string; flags: string[] }> {
    const { url } = await temporarySchema(t);
    return { directory: temporaryDirectory(t), flags: [`--app.database.url=${url}`] };
  }

  test('an empty database is filled by instances that start together', async (t) => {
    const { directory, flags } = await emptyDatabase(t);
    await Promise.all([openAndClose(directory, ...flags), openAndClose(directory, ...flags)]);
  });

  test('an empty database is refused while files are stored, or where it must exist', async (t) => {
    const { directory, flags } = await emptyDatabase(t);
    leaveFile(join(directory, 'files'));
    const config = testConfig(directory, ...flags);
    await assert.rejects(openStores(config), REFUSED_FILES);
    await assert.rejects(openLinkStore(config), REFUSED_FILES);
    rmSync(join(directory, 'files'), { recursive: true });
    await assert.rejects(openAndClose(directory, ...flags, MUST_EXIST), REFUSED_MISSING);
    await openAndClose(directory, ...flags);
    await openAndClose(directory, ...flags, MUST_EXIST);
  });
});

test('a database that exists opens next to other files and with stored ones', async (t) => {
  const directory = temporaryDirectory(t);
  const { store } = await openStores(testConfig(directory));
  await store.create(redirectLink(codeOf(1)), newChange());
  await store.close();
  leaveFile(join(directory, 'files'));
  writeFileSync(join(directory, 'notes.txt'), '');
  for (const flags of [[], [MUST_EXIST]]) {
    const again = await openStores(testConfig(directory, ...flags));
    assert.equal((await again.store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    await again.store.close();
  }
});
