import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DEFAULT_CONFIG_FILE } from '../../src/service/config/config-file.ts';
import { configOf, errorOf, errorsOf } from '../support/config.ts';
import { freePort, isReady, startProgram } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const FILE = '/c/postern.conf';
/** A configuration file that the environment names, with these lines. */
const fileOf = (...lines: string[]) => ({
  env: { POSTERN_CONFIG: FILE },
  files: { [FILE]: `${lines.join('\n')}\n` },
});

describe('the configuration file', () => {
  test('a file sets properties in lines, with comments', () => {
    const { server, baseUrl, log } = configOf(
      fileOf(
        '# the address',
        '',
        ' server.host = 127.0.0.1 ',
        'app.base-url=https://links.example/',
        'app.log.level=warn\r',
      ),
    );
    assert.deepEqual([server.host, baseUrl, log.level], ['127.0.0.1', 'https://links.example', 'warn']);
  });

  test('a flag goes before the environment, which goes before the file', () => {
    const { env, files } = fileOf('server.port=1', 'app.log.level=warn', 'app.limits.connections=7');
    const { server, log, connections } = configOf({
      argv: ['--server.port=3'],
      env: { ...env, SERVER_PORT: '2', APP_LOG_LEVEL: 'error' },
      files,
    });
    assert.deepEqual([server.port, log.level, connections.max], [3, 'error', 7]);
    assert.equal(configOf({ env: { ...env, PORT: '4' }, files }).server.port, 4);
  });

  test('the flag --config goes before POSTERN_CONFIG, and both before the default, which may be absent', () => {
    const files = { '/a': 'server.port=1', '/b': 'server.port=2', [DEFAULT_CONFIG_FILE]: 'server.port=3' };
    const env = { POSTERN_CONFIG: '/b' };
    assert.equal(configOf({ argv: ['--config=/a'], env, files }).server.port, 1);
    assert.equal(configOf({ env, files }).server.port, 2);
    assert.equal(configOf({ env: { POSTERN_CONFIG: '' }, files }).server.port, 3);
    assert.equal(configOf().server.port, 8080);
    for (const world of [{ argv: ['--config=/none'] }, { env: { POSTERN_CONFIG: '/none' } }])
      assert.match(
        errorOf(world),
        /^configuration file "\/none" cannot be read \(ENOENT\); name a readable file in UTF-8$/,
      );
  });

  test('every wrong line is an error that names it, and shows no secret', () => {
    const errors = errorsOf(
      fileOf(
        'app.bas-url=https://links.example',
        'APP_LOG_LEVEL=warn',
        'nonsense sesame',
        'server.port=eighty',
        'server.host=127.0.0.1',
        'server.host=127.0.0.2',
        'app.secret=sesame',
      ),
    );
    for (const expected of [
      /^line 1 of \/c\/postern\.conf: unknown property "app\.bas-url", did you mean app\.base-url\?$/,
      /^line 2 of \S+: unknown property "APP_LOG_LEVEL", did you mean app\.log\.level\?$/,
      /^line 3 of \S+: must be name=value, or a comment after #$/,
      /^line 6 of \S+: server\.host is set more than once; set it once$/,
      /^server\.port: "eighty" from line 4 of \S+ must be/,
      /^app\.secret: a value that may hold a secret \(not shown\) from line 7 of \S+ must be/,
    ])
      assert.ok(
        errors.some((error) => expected.test(error)),
        `${expected}\n${errors.join('\n')}`,
      );
    assert.equal(errors.length, 6);
    assert.doesNotMatch(errors.join(), /sesame/);
  });

  test('a service reads its file, and warns of one with a secret that every user can read', async (t) => {
    const directory = temporaryDirectory(t);
    const path = join(directory, 'postern.conf');
    const port = await freePort();
    writeFileSync(
      path,
      `server.host=127.0.0.1\nserver.port=${port}\napp.database.url=sqlite:${directory}/p.db\n` +
        `app.storage.path=${directory}/files\napp.access.initial-key=${'k'.repeat(32)}\n`,
    );
    for (const [mode, expected] of [
      [
        0o644,
        [
          `${path} has app.access.initial-key, and every user of this machine can read it. Run: chmod o-rwx ${path}`,
        ],
      ],
      [0o640, []],
    ] as const) {
      chmodSync(path, mode);
      const service = startProgram(t, ['cli/main.ts', 'serve', `--config=${path}`]);
      await service.waitForOutput(isReady);
      service.signal('SIGTERM');
      const { stdout } = await service.exited;
      const warnings = [...stdout.matchAll(/"warning":"([^"]*postern\.conf[^"]*)"/g)].map(([, text]) => text);
      assert.deepEqual(warnings, expected);
    }
  });
});
