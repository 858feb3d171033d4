import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryItem } from '../../src/core/model/history.ts';
import { exportHistory, readHistoryPage } from '../../src/core/use-cases/history/read-history.ts';
import { attemptOn, codeOf, downloadOf, newChange, redirectLink, START } from '../support/attempts.ts';
import { EVERY_ENTRY } from '../support/queries.ts';
import { openSqliteHarness } from '../support/sqlite-harness.ts';

const QUERY = { ...EVERY_ENTRY, shortCode: codeOf(1) };
const numbersOf = (items: readonly HistoryItem[]) => items.map(({ number }) => number);

test('a history ends with the end of the chain that was read before it', async () => {
  await using harness = await openSqliteHarness();
  const { store } = harness;
  await store.create(redirectLink(codeOf(1)), newChange());
  const attempts = [1, 2, 3].map((at) => attemptOn(codeOf(1), { at: START + at }));
  for (const attempt of attempts.slice(0, 2)) await store.attempt(attempt);
  await store.recordDownload(downloadOf(attempts[0] ?? attemptOn('')));
  const head = (await store.read(codeOf(1)))?.history;
  assert.ok(head);
  await store.recordDownload(downloadOf(attempts[1] ?? attemptOn('')));
  await store.attempt(attempts[2] ?? attemptOn(''));

  const exported = await Array.fromAsync(exportHistory(store.history, { ...QUERY, head }));
  const query = { ...QUERY, before: null, limit: 10 };
  const { items } = await readHistoryPage(store.history, { ...query, head });
  for (const read of [exported.flat(), items]) {
    assert.deepEqual(numbersOf(read), [3, 2, 1]);
    const downloads = read.map(
      (item) => item.kind === 'ATTEMPT' && item.downloads.map(({ number }) => number),
    );
    assert.deepEqual(downloads, [[], [4], false], 'the end that came later is left out');
  }
  const all = await readHistoryPage(store.history, query);
  assert.deepEqual(numbersOf(all.items), [6, 3, 2, 1]);
});

test('a search goes on in one page until it has found enough, or has examined 10,000 entries', async () => {
  await using harness = await openSqliteHarness();
  const { store } = harness;
  await store.create(redirectLink(codeOf(1)), newChange());
  await store.attempt(attemptOn(codeOf(1), { ipAddress: '2001:db8::7' }));
  const add = async (count: number, at: number) => {
    for (let left = count; left > 0; left -= 1000)
      await Promise.all(
        Array.from({ length: Math.min(left, 1000) }, () => store.attempt(attemptOn(codeOf(1), { at }))),
      );
  };
  const read = async () => {
    const head = (await store.read(codeOf(1)))?.history ?? null;
    const query = { ...QUERY, head, ipAddress: '2001:db8::7', before: null, limit: 1 };
    return readHistoryPage(store.history, query);
  };
  await add(2_500, START + 1);
  assert.equal((await read()).items.length, 1);
  await add(7_500, START + 2);
  const { items, next } = await read();
  assert.deepEqual(items, []);
  assert.notEqual(next, null);
});
