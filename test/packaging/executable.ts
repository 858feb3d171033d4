import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createLink, openLink } from '../support/links.ts';
import { serveWith, useAndStop } from '../support/packages.ts';
import { startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

/** Runs the service from the executable alone, in an empty environment. */
export async function tryExecutable(t: TestContext, path: string): Promise<void> {
  const directory = temporaryDirectory(t);
  const postern = join(directory, 'postern');
  copyFileSync(path, postern);
  const cache = join(directory, 'cache');
  const options = {
    cwd: directory,
    env: { XDG_CACHE_HOME: cache, APP_STORAGE_PATH: join(directory, 'files') },
  };
  const unpacked = () => readdirSync(join(cache, 'postern'));

  await t.test('postern serve works, and goes on after it was killed', async (t) => {
    const killed = await serveWith(t, [postern, 'serve'], options);
    const shortCode = await createLink(killed);
    killed.signal('SIGKILL');
    await killed.exited;
    const service = await serveWith(t, [postern, 'serve'], options); // checks its database in a process of its own
    assert.equal((await openLink(service, shortCode)).status, 302);
    await useAndStop(service);
    assert.doesNotMatch(service.output.stdout, /"level":"(error|fatal)"/);
  });

  await t.test('the files of the program are unpacked once, for its user alone', () => {
    assert.equal(unpacked().length, 1);
    for (const path of [cache, join(cache, 'postern')]) assert.equal(statSync(path).mode & 0o022, 0, path);
  });

  await t.test('the program runs nothing from a directory that other users can write to', async (t) => {
    chmodSync(join(cache, 'postern'), 0o777);
    const { code, stderr } = await startCommand(t, [postern, '--version'], options).exited;
    assert.equal(code, 1);
    assert.match(stderr, /^Postern cannot unpack its files: other users can write to .*XDG_CACHE_HOME/);
  });
}
