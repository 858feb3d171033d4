import assert from 'node:assert/strict';
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { openStores } from '../../../src/service/open-stores.ts';
import { checkIntegrity } from '../../../src/stores/sqlite/check-integrity.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { openedStore } from '../../support/killed-store.ts';
import { temporaryDirectory, testConfig } from '../../support/service.ts';

const LINKS = 200;

describe('an embedded store on a damaged file', () => {
  test('a store does not start on half of a file, and names the remedy', async (t) => {
    const path = await filledStore(t);
    truncateSync(path, statSync(path).size / 2);
    const remedy = /malformed.*\. Restore the last backup, or correct the path/;
    await assert.rejects(openedStore(t, path), remedy);
    await assert.rejects(openStores(testConfig(dirname(path))), remedy);
  });

  test('a store finds that its file was cut as soon as a request needs what is missing', async (t) => {
    const path = await filledStore(t);
    const store = await openedStore(t, path);
    truncateSync(path, statSync(path).size / 2);
    const finding = Array.from({ length: LINKS }, (_, index) => store.find(codeOf(index)));
    await assert.rejects(Promise.all(finding), /malformed/);
    await Promise.allSettled(finding);
    assert.ok((await store.findProblems()).includes('database_damaged'));
  });

  test('verification lists the damaged pages, also of a store that is in use', async (t) => {
    const path = await filledStore(t);
    await openedStore(t, path);
    assert.deepEqual(checkIntegrity(path, 1), []);
    overwritePages(path, 'link_target');
    assert.match(checkIntegrity(path, 1).join(), /^damaged database: \S/);
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
    test(`a store finds the damage as soon as ${what} fails of it`, async (t) => {
      const path = await filledStore(t);
      overwritePages(path, table);
      const store = await openedStore(t, path);
      assert.deepEqual(await store.findProblems(), []);
      await assert.rejects(use(store), /malformed/);
      assert.ok((await store.findProblems()).includes('database_damaged'));
      assert.match(store.explainProblem?.('database_damaged') ?? '', /malformed/);
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
  const db = new DatabaseSync(path, { timeout: 5_000 });
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
  const pages = db.prepare('SELECT pageno FROM dbstat WHERE name = ?').all(table);
  db.close();
  assert.ok(pages.length > 0);
  const file = openSync(path, 'r+');
  for (const { pageno } of pages)
    writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (Number(pageno) - 1) * pageBytes);
  closeSync(file);
}
