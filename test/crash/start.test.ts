import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createLink, openLink } from '../support/links.ts';
import { type Exit, freePort, serviceFlags, startProgram, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

/** Starts a service that is expected to end by itself. */
function runToExit(t: TestContext, flags: string[], env: Record<string, string> = {}): Promise<Exit> {
  return startProgram(t, ['src/main.ts', ...flags], env).exited;
}

/** Asserts exit code 1 and a text for the operator: a headline, one line for each error, no stack. */
function assertRefused({ code, stdout, stderr }: Exit, errors: RegExp[]): void {
  assert.equal(code, 1, stderr);
  const [headline, ...lines] = stderr.trimEnd().split('\n');
  assert.equal(headline, 'Postern cannot start:');
  assert.equal(lines.length, errors.length, stderr);
  for (const [index, error] of errors.entries()) assert.match(lines[index] ?? '', error);
  assert.equal(stdout, '');
}

describe('a service that cannot start', { concurrency: 2 }, () => {
  test('reports all errors of its configuration at once, and creates nothing', async (t) => {
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
    assertRefused(exit, [
      /unknown flag "--app\.bas-url"/,
      /unexpected argument "stray"/,
      /APP_LOG_LEVL sets no property, did you mean APP_LOG_LEVEL\?/,
      /server\.port: "eighty" from flag --server\.port/,
      /app\.storage\.url/,
      /app\.link\.default-ttl: "tomorrow" from environment variable APP_LINK_DEFAULT_TTL/,
    ]);
    assert.ok(!existsSync(join(directory, 'postern.db')));
  });

  test('names a port that another program has taken', async (t) => {
    const directory = temporaryDirectory(t);
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    t.after(() => new Promise((resolve) => other.close(resolve)));
    const exit = await runToExit(t, serviceFlags(directory, port));
    assertRefused(exit, [new RegExp(`port ${port} is taken by another program`)]);
  });

  test('names a port that another instance has taken, which goes on', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startServiceProcess(t, directory);
    const shortCode = await createLink(service);
    const port = Number(new URL(service.url).port);
    const exit = await runToExit(t, serviceFlags(directory, port));
    assertRefused(exit, [new RegExp(`port ${port} is taken by another program`)]);
    assert.equal((await openLink(service, shortCode)).status, 302);
  });

  test('reports a database of a newer version, and does not change it', async (t) => {
    const directory = temporaryDirectory(t);
    const path = join(directory, 'postern.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 9999');
    db.close();
    const exit = await runToExit(t, serviceFlags(directory, await freePort()));
    assertRefused(exit, [/schema version 9999.*newer version of Postern/]);
    const after = new DatabaseSync(path);
    assert.equal(after.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'], 0);
    after.close();
  });

  test('reports a file that is not a database', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'postern.db'), 'not a database, '.repeat(100));
    const exit = await runToExit(t, serviceFlags(directory, await freePort()));
    assertRefused(exit, [/not a database/]);
  });

  test('reports a database path that is a directory', async (t) => {
    const directory = temporaryDirectory(t);
    mkdirSync(join(directory, 'postern.db'));
    const exit = await runToExit(t, serviceFlags(directory, await freePort()));
    assertRefused(exit, [/EISDIR.*postern\.db/]);
  });

  test('reports a storage path that is a file', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'files'), '');
    const exit = await runToExit(t, serviceFlags(directory, await freePort()));
    assertRefused(exit, [/EEXIST.*files/]);
  });

  test('reports a storage path below a file', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'file'), '');
    const flags = serviceFlags(directory, await freePort()).slice(0, -1);
    const exit = await runToExit(t, [...flags, `--app.storage.path=${directory}/file/uploads`]);
    assertRefused(exit, [
      /app\.storage\.path .*\/file\/uploads: the directory cannot be created or written \(ENOTDIR.*choose another/,
    ]);
  });

  test('reports a storage directory that cannot be written, also to root', {
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
