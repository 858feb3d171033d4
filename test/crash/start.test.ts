import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createLink, openLink } from '../support/links.ts';
import { type Exit, freePort, serviceFlags, startProgram, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

/** Starts the service, which is to end by itself. */
function runToExit(t: TestContext, flags: string[], env: Record<string, string> = {}): Promise<Exit> {
  return startProgram(t, ['src/main.ts', ...flags], env).exited;
}

/** Refused with exit code 1 and a text for a person: a headline, one line for each fault, no stack. */
function assertRefused({ code, stdout, stderr }: Exit, faults: RegExp[]): void {
  assert.equal(code, 1, stderr);
  const [headline, ...lines] = stderr.trimEnd().split('\n');
  assert.equal(headline, 'Postern cannot start:');
  assert.equal(lines.length, faults.length, stderr);
  for (const [index, fault] of faults.entries()) assert.match(lines[index] ?? '', fault);
  assert.equal(stdout, '');
}

describe('a service that cannot start', { concurrency: 2 }, () => {
  test('tells every fault of its configuration at once, and makes nothing', async (t) => {
    const directory = temporaryDirectory(t);
    const exit = await runToExit(
      t,
      [
        `--app.database.url=sqlite:${join(directory, 'postern.db')}`,
        '--server.port=eighty',
        '--app.bas-url=x',
        'stray',
      ],
      { APP_LINK_DEFAULT_TTL: 'tomorrow', APP_STORAGE_URL: 's3://bucket/../etc' },
    );
    assertRefused(exit, [
      /unknown flag "--app\.bas-url"/,
      /stray argument "stray"/,
      /server\.port: "eighty" from flag --server\.port/,
      /app\.storage\.url/,
      /app\.link\.default-ttl: "tomorrow" from environment variable APP_LINK_DEFAULT_TTL/,
    ]);
    assert.ok(!existsSync(join(directory, 'postern.db')));
  });

  test('for its port is taken by another program names the port', async (t) => {
    const directory = temporaryDirectory(t);
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    t.after(() => new Promise((resolve) => other.close(resolve)));
    const exit = await runToExit(t, serviceFlags(directory, port));
    assertRefused(exit, [new RegExp(`port ${port} is taken by another program`)]);
  });

  test('for its port is taken by another instance names the port, and leaves that one alone', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startServiceProcess(t, directory);
    const shortCode = await createLink(service);
    const port = Number(new URL(service.url).port);
    const exit = await runToExit(t, serviceFlags(directory, port));
    assertRefused(exit, [new RegExp(`port ${port} is taken by another program`)]);
    assert.equal((await openLink(service, shortCode)).status, 302);
  });

  test('for a newer version wrote its database says so, and changes nothing', async (t) => {
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

  test('for its database is no database says so', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'postern.db'), 'a letter to my grandmother, '.repeat(100));
    const exit = await runToExit(t, serviceFlags(directory, await freePort()));
    assertRefused(exit, [/not a database/]);
  });

  test('for its database is a directory says so', async (t) => {
    const directory = temporaryDirectory(t);
    mkdirSync(join(directory, 'postern.db'));
    const exit = await runToExit(t, serviceFlags(directory, await freePort()));
    assertRefused(exit, [/EISDIR.*postern\.db/]);
  });

  test('for its storage is a file says so', async (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'files'), '');
    const exit = await runToExit(t, serviceFlags(directory, await freePort()));
    assertRefused(exit, [/EEXIST.*files/]);
  });
});
