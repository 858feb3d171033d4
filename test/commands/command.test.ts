import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { openStores } from '../../src/service/open-stores.ts';
import { findDifferences } from '../../src/tools/commands/verify-store.ts';
import { type Exit, startProgram } from '../support/process.ts';
import { temporaryDirectory, testConfig } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';

function run(t: TestContext, command: string, ...flags: string[]): Promise<Omit<Exit, 'signal'>> {
  const env = { AWS_ACCESS_KEY_ID: 'me', AWS_SECRET_ACCESS_KEY: 'sesame' };
  if (command !== 'serve') return runServiceCommand([command, ...flags], env);
  return startProgram(t, ['cli/main.ts', command, ...flags], env).exited;
}

/** Settings of stores that cannot be used, made for a directory with a file, and what a start and `verify` report. */
const UNUSABLE: [
  what: string,
  flags: (directory: string) => string[],
  error: RegExp,
  /** Another one where the start would create something. */
  errorOfVerify: RegExp,
][] = [
  [
    'a file that is not a database',
    (directory) => [`--app.database.url=sqlite:${directory}/file`, `--app.storage.path=${directory}`],
    /^Error: app\.database\.url sqlite:.*: it is not a database of SQLite/,
    /^Error: app\.database\.url sqlite:.*: it is not a database of SQLite/,
  ],
  [
    'a database path that is a directory',
    (directory) => [`--app.database.url=sqlite:${directory}`, `--app.storage.path=${directory}`],
    /^Error: app\.database\.url sqlite:.*: it is not a file; name the file of the database/,
    /^Error: app\.database\.url sqlite:.*: it is not a file; name the file of the database/,
  ],
  [
    'a storage path that is a file',
    (directory) => [`--app.storage.path=${directory}/file`],
    /^Error: app\.storage\.path .*\/file: .*EEXIST/,
    /there is no store at/,
  ],
  [
    'a storage path below a file',
    (directory) => [`--app.storage.path=${directory}/file/x`],
    /^Error: app\.storage\.path .*\/file\/x: the directory cannot be created or written \(ENOTDIR.*choose another/,
    /^Error: app\.storage\.path .*\/file\/x: there is no such directory/,
  ],
];

describe('a command that cannot use its settings', { concurrency: 2 }, () => {
  for (const [command, headline] of [
    ['serve', 'Postern cannot start:'],
    ['seed', 'The store could not be seeded:'],
    ['verify', 'The store could not be verified:'],
  ] as const) {
    test(`postern ${command} reports the reason in one line, without a stack or a password`, async (t) => {
      const unreachable = [
        '--app.database.url=postgres://a:sesame@127.0.0.1:1/b',
        `--app.storage.path=${temporaryDirectory(t)}`,
      ];
      for (const [flags, exitCode, error] of [
        [['--app.databas.url=x'], 2, /unknown flag .*did you mean --app\.database\.url\?/],
        [unreachable, 1, /app\.database\.url postgres:\/\/127\.0\.0\.1:1\/b: No connection.*ECONNREFUSED/],
      ] as const) {
        const { code, stdout, stderr } = await run(t, command, ...flags);
        const lines = stderr.trimEnd().split('\n');
        assert.deepEqual([code, stdout, lines.length, lines[0]], [exitCode, '', 2, headline], stderr);
        assert.match(lines[1] ?? '', error);
        assert.doesNotMatch(stderr, /sesame/);
      }
    });
  }

  for (const [what, flags, error, errorOfVerify] of UNUSABLE) {
    test(`an open store reports ${what} with its property and a remedy`, async (t) => {
      const directory = temporaryDirectory(t);
      writeFileSync(join(directory, 'file'), 'not a database, '.repeat(100));
      const config = testConfig(directory, ...flags(directory));
      await assert.rejects(openStores(config), error);
      await assert.rejects(findDifferences(config), errorOfVerify);
    });
  }

  test('a start reports a storage endpoint that cannot be reached', async (t) => {
    const { code, stderr } = await run(
      t,
      'serve',
      `--app.database.url=sqlite:${temporaryDirectory(t)}/p.db`,
      '--app.storage.url=s3://bucket',
      '--app.storage.endpoint=http://127.0.0.1:1',
      '--app.storage.timeout=PT10S',
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /app\.storage\.url s3:\/\/bucket: object storage failed to list its files: .*ECONNREFUSED/,
    );
  });

  test('verify reports a missing database or directory, and creates neither', async (t) => {
    const directory = temporaryDirectory(t);
    const [database, files] = [join(directory, 'none.db'), join(directory, 'none')];
    const verify = (storage: string) =>
      run(t, 'verify', `--app.database.url=sqlite:${database}`, `--app.storage.path=${storage}`);
    assert.match((await verify(directory)).stderr, /app\.database\.url sqlite:.*: there is no store at/);
    assert.match((await verify(files)).stderr, /app\.storage\.path .*: there is no such directory/);
    assert.ok(!existsSync(database) && !existsSync(files));
  });
});

test('verify names the database and the directory that it compares, what it does not check, and differences', async (t) => {
  const directory = temporaryDirectory(t);
  const config = testConfig(directory);
  await (await openStores(config)).store.close();
  const flags = [
    `--app.database.url=sqlite:${directory}/postern.db`,
    `--app.storage.path=${join(directory, 'files')}`,
  ];
  const compared = `sqlite:${directory}/postern.db and the files in ${join(directory, 'files')}`;
  const same = await run(t, 'verify', ...flags);
  assert.deepEqual(same.stdout.trimEnd().split('\n'), [
    `Checked ${compared}.`,
    'All statistics equal a recount of 0 audit records.',
    'The history of every link is complete and unchanged.',
    '0 files, each with its link and its size; their content is not checked.',
    'This store has no link. Is it the right one? Set app.database.url.',
  ]);
  using db = new DatabaseSync(join(directory, 'postern.db'), { timeout: 5_000 });
  db.exec(`INSERT INTO origin VALUES ('192.0.2.1', 1)`);
  const different = await run(t, 'verify', ...flags);
  assert.equal(different.stderr.split('\n')[0], `1 difference in ${compared}:`);
});
