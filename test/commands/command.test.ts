import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { VERSION } from '../../src/version.ts';
import { type Exit, startProgram } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const USAGES = {
  'src/main.ts': 'npm start',
  'src/commands/seed.ts': 'npm run seed',
  'src/commands/verify.ts': 'npm run verify',
  'src/commands/move.ts': 'npm run move',
};

function run(t: TestContext, program: string, ...flags: string[]): Promise<Exit> {
  return startProgram(t, [program, ...flags]).exited;
}

describe('every program', { concurrency: 2 }, () => {
  for (const [program, usage] of Object.entries(USAGES)) {
    test(`${usage} prints its usage for --help and -h`, async (t) => {
      for (const flag of ['--help', '-h']) {
        const { code, stdout, stderr } = await run(t, program, '--server.port=x', flag);
        assert.deepEqual([code, stderr], [0, '']);
        assert.ok(stdout.startsWith(`Usage: ${usage} -- [--name=value ...]\n\n`), stdout);
        const listed =
          usage === 'npm run move' ? /^ {2}--to=URL +\S/m : /^property +environment +default +meaning$/m;
        assert.match(stdout, listed);
      }
    });

    test(`${usage} prints the version for --version`, async (t) => {
      const { code, stdout, stderr } = await run(t, program, '--version');
      assert.deepEqual([code, stdout, stderr], [0, `${VERSION}\n`, '']);
    });
  }
});

/** Settings that are wrong, for a directory to use, and the one line that reports each. */
const WRONG_SETTINGS: [what: string, flags: (directory: string) => string[], error: RegExp][] = [
  ['an unknown flag', () => ['--app.databas.url=x'], /unknown flag .*did you mean --app\.database\.url\?/],
  ['a malformed URL', () => ['--app.database.url=mysql://x'], /app\.database\.url: .* must be sqlite:<path>/],
  [
    'a database that cannot be reached',
    (directory) => [
      '--app.database.url=postgres://a:sesame@127.0.0.1:1/b',
      `--app.storage.path=${directory}`,
    ],
    /app\.database\.url postgres:\/\/127\.0\.0\.1:1\/b: No connection/,
  ],
  [
    'a file that is not a database',
    (directory) => {
      writeFileSync(join(directory, 'file'), 'not a database, '.repeat(100));
      return [`--app.database.url=sqlite:${directory}/file`, `--app.storage.path=${directory}`];
    },
    /app\.database\.url sqlite:.*: file is not a database/,
  ],
  [
    'a storage path below a file',
    (directory) => {
      writeFileSync(join(directory, 'file'), '');
      return [`--app.database.url=sqlite:${directory}/p.db`, `--app.storage.path=${directory}/file/x`];
    },
    /app\.storage\.path .*\/file\/x: (the directory cannot be created or written \(ENOTDIR|there is no such directory)/,
  ],
  [
    'a storage endpoint that cannot be reached',
    (directory) => [
      `--app.database.url=sqlite:${directory}/p.db`,
      '--app.storage.url=s3://bucket',
      '--app.storage.endpoint=http://127.0.0.1:1',
      '--app.storage.timeout=PT0.5S',
    ],
    /app\.storage\.url s3:\/\/bucket: object storage failed|There is no store at/,
  ],
];

describe('seed and verify', { concurrency: 2 }, () => {
  for (const [what, flags, error] of WRONG_SETTINGS) {
    test(`report ${what} in one line, without a stack or a password`, async (t) => {
      for (const [program, headline] of [
        ['src/commands/seed.ts', 'The store could not be seeded:'],
        ['src/commands/verify.ts', 'The store could not be verified:'],
      ] as const) {
        const { code, stdout, stderr } = await run(t, program, ...flags(temporaryDirectory(t)));
        const lines = stderr.trimEnd().split('\n');
        assert.deepEqual([code, stdout, lines.length, lines[0]], [1, '', 2, headline], stderr);
        assert.match(lines[1] ?? '', error);
        assert.doesNotMatch(stderr, /sesame/);
      }
    });
  }

  test('verify reports a missing database or directory, and creates neither', async (t) => {
    const directory = temporaryDirectory(t);
    const [database, files] = [join(directory, 'none.db'), join(directory, 'none')];
    const verify = (storage: string) =>
      run(
        t,
        'src/commands/verify.ts',
        `--app.database.url=sqlite:${database}`,
        `--app.storage.path=${storage}`,
      );
    assert.match((await verify(directory)).stderr, /app\.database\.url sqlite:.*: There is no store at/);
    assert.match((await verify(files)).stderr, /app\.storage\.path .*: there is no such directory/);
    assert.ok(!existsSync(database) && !existsSync(files));
  });
});
