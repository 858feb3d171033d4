import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { createLink, openLink } from '../support/links.ts';
import { type Exit, freePort, serviceFlags, startProgram, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

/** Starts a service that is expected to end by itself. */
function runToExit(t: TestContext, flags: string[], env: Record<string, string> = {}): Promise<Exit> {
  return startProgram(t, ['cli/main.ts', 'serve', ...flags], env).exited;
}

/** Asserts exit code 1, or 2 for wrong settings, and a text for the administrator: a headline, one line for each error, no stack. */
function assertRefused({ code, stdout, stderr }: Exit, errors: RegExp[], exitCode = 1): void {
  assert.equal(code, exitCode, stderr);
  const [headline, ...lines] = stderr.trimEnd().split('\n');
  assert.equal(headline, 'Postern cannot start:');
  assert.equal(lines.length, errors.length, stderr);
  for (const [index, error] of errors.entries()) assert.match(lines[index] ?? '', error);
  assert.equal(stdout, '');
}

describe('a service that cannot start', { concurrency: 2 }, () => {
  test('a service reports all errors of its configuration at once, and creates nothing', async (t) => {
    const directory = temporaryDirectory(t);
    const exit = await runToExit(
      t,
      [
        `--app.database.url=sqlite:${join(directory, 'postern.db')}`,
        '--server.port=eighty',
        '--app.bas-url=x',
        'stray',
      ],
      { APP_LINK_DEFAULT_TTL: 'tomorrow', APP_STORAGE_URL: 's3://bucket/../etc', APP_LOG_LEVL: 'warn' },
    );
    const errors = [
      /unknown flag "--app\.bas-url"/,
      /unexpected argument after --app\.bas-url; /,
      /APP_LOG_LEVL sets no property, did you mean APP_LOG_LEVEL\?/,
      /server\.port: "eighty" from flag --server\.port/,
      /app\.storage\.url/,
      /app\.link\.default-ttl: "tomorrow" from environment variable APP_LINK_DEFAULT_TTL/,
    ];
    assertRefused(exit, errors, 2);
    assert.ok(!existsSync(join(directory, 'postern.db')));
  });

  test('a service names a port that another instance has taken, which goes on', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startServiceProcess(t, directory);
    const shortCode = await createLink(service);
    const port = Number(new URL(service.url).port);
    const other = temporaryDirectory(t);
    await (await openSqliteStore({ path: join(other, 'postern.db') })).close();
    const exit = await runToExit(t, serviceFlags(other, port));
    assertRefused(exit, [new RegExp(`port ${port} is taken by another program`)]);
    assert.equal((await openLink(service, shortCode)).status, 302);
  });

  test('a service reports a storage directory that cannot be written, also to root', {
    skip: process.platform !== 'linux' && 'only Linux has /proc, where a write by root fails',
  }, async (t) => {
    const directory = temporaryDirectory(t);
    const flags = serviceFlags(directory, await freePort()).slice(0, -1);
    const exit = await runToExit(t, [...flags, '--app.storage.path=/proc']);
    assertRefused(exit, [
      /app\.storage\.path \/proc: the directory cannot be created or written \(\w+: .*\); choose another/,
    ]);
    assert.ok(!existsSync(join(directory, 'postern.db')));
  });
});
