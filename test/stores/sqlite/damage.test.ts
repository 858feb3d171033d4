import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, cpSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../../src/error-details.ts';
import { openStores } from '../../../src/open-stores.ts';
import { watchIntegrity } from '../../../src/stores/sqlite/watch-integrity.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { copyOfKilled, openedStore } from '../../support/killed-store.ts';
import { temporaryDirectory, testConfig } from '../../support/service.ts';

const LINKS = 200;

describe('an embedded store on a damaged file', () => {
  test('a store finds the damage in the background after a kill, and at each start until the file is restored', async (t) => {
    const path = await filledStore(t);
    await openedStore(t, path);
    const killed = copyOfKilled(t, path);
    overwritePages(killed, 'link_target');
    for (const stop of ['a kill', 'a clean stop']) {
      const damaged = await openedStore(t, killed);
      await waitForDamage(t, damaged);
      assert.match(damaged.explainProblem?.('database_damaged') ?? '', /\w/, stop);
      await damaged.close();
    }
    cpSync(path, killed);
    const restored = await openedStore(t, killed);
    await waitUntilChecked(t, killed);
    assert.deepEqual(await restored.findProblems(), []);
  });

  test('a store does not start on half of a file, and names the remedy', async (t) => {
    const path = await filledStore(t);
    truncateSync(path, statSync(path).size / 2);
    const remedy = /malformed.*\. Restore the last backup, or correct the path/;
    await assert.rejects(openedStore(t, path), remedy);
    await assert.rejects(openStores(testConfig(dirname(path))), remedy);
  });

  test('the check of a store ends with the service', async (t) => {
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    const path = join(temporaryDirectory(t), 'postern.db');
    // The check waits for the lock, so that it runs until its parent is gone.
    using db = new DatabaseSync(path);
    db.exec('CREATE TABLE link (a); BEGIN EXCLUSIVE');
    const check = spawn(process.execPath, ['src/stores/sqlite/quick-check.ts', path], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    check.on('exit', (_, signal) => resolve(signal));
    check.stdin.end();
    assert.equal(await ended, 'SIGKILL');
  });

  test('a store says once why the file cannot be checked', async (t) => {
    const errors: unknown[] = [];
    const failed = Promise.withResolvers<void>();
    const path = join(temporaryDirectory(t), 'missing.db');
    const integrity = watchIntegrity({
      path,
      isChecked: false,
      setChecked: async () => {},
      onCheckError(error) {
        errors.push(error);
        failed.resolve();
      },
    });
    await failed.promise;
    assert.deepEqual(integrity.findProblems(), []);
    await integrity.stop(); // which ends a check that runs
    assert.equal(errors.length, 1);
    assert.match(messageOf(errors[0]), /unable to open database file/);
  });

  test('a store does not check the file after a clean stop', async (t) => {
    const path = await filledStore(t);
    overwritePages(path, 'link_target');
    const store = await openedStore(t, path);
    assert.deepEqual(await store.findProblems(), []);
    assert.deepEqual(stateIn(path), { isRunning: true, isChecked: true });
  });

  for (const [what, table, use] of [
    ['an attempt', 'link', (store: Store) => store.attempt(attemptOn(codeOf(7)))],
    ['finding a link', 'link_target', (store: Store) => store.find(codeOf(7))],
    [
      'a statistic',
      'attempts_by_hour',
      (store: Store) => store.statistics.hourly({ start: null, end: null }),
    ],
  ] as const) {
    test(`a store finds the damage as soon as ${what} fails of it, and at the next start`, async (t) => {
      const path = await filledStore(t);
      overwritePages(path, table);
      const store = await openedStore(t, path);
      assert.deepEqual(await store.findProblems(), []);
      await assert.rejects(use(store), /malformed/);
      assert.deepEqual(await store.findProblems(), ['database_damaged']);
      await store.close();
      assert.deepEqual(stateIn(path), { isRunning: false, isChecked: false });
      await waitForDamage(t, await openedStore(t, path));
    });
  }
});

/** Fills a store with links and closes it. */
async function filledStore(t: TestContext): Promise<string> {
  const path = join(temporaryDirectory(t), 'postern.db');
  const store = await openedStore(t, path);
  const links = Array.from({ length: LINKS }, (_, index) => redirectLink(codeOf(index)));
  await Promise.all(links.map((link) => store.create(link, newChange())));
  await store.attempt(attemptOn(codeOf(1)));
  await store.close();
  return path;
}

/** Overwrites every page of a table with bytes that are no page. */
function overwritePages(path: string, table: string): void {
  const db = new DatabaseSync(path);
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
  const pages = db.prepare('SELECT pageno FROM dbstat WHERE name = ?').all(table);
  db.close();
  assert.ok(pages.length > 0);
  const file = openSync(path, 'r+');
  for (const { pageno } of pages)
    writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (Number(pageno) - 1) * pageBytes);
  closeSync(file);
}

async function waitForDamage({ signal }: TestContext, store: Store): Promise<void> {
  while (!(await store.findProblems()).includes('database_damaged'))
    await setTimeout(20, undefined, { signal });
}

async function waitUntilChecked({ signal }: TestContext, path: string): Promise<void> {
  while (!stateIn(path)['isChecked']) await setTimeout(20, undefined, { signal });
}

function stateIn(path: string): Record<string, unknown> {
  using db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare('SELECT is_running, is_checked FROM run_state').get();
  return { isRunning: row?.['is_running'] === 1, isChecked: row?.['is_checked'] === 1 };
}
