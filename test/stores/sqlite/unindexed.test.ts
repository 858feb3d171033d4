import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnindexed } from '../../../src/stores/sqlite/unindexed.ts';

const entry = (text: string) => ({ shortCode: text.slice(0, -1), id: text.slice(-1) });
const texts = (entries: readonly { shortCode: string; id: string }[]) =>
  entries.map(({ shortCode, id }) => shortCode + id);

test('entries are taken in the order of their short codes, those of one link in the order of adding', () => {
  const unindexed = createUnindexed();
  for (const text of ['bb1', 'a2', 'ba3', 'bb4', 'B5', 'a6', '_7']) unindexed.add(entry(text));

  assert.deepEqual(texts(unindexed.take(2)), ['B5', '_7']);
  assert.equal(unindexed.setCount, 5);
  assert.deepEqual(texts(unindexed.take(4)), ['a2', 'a6', 'ba3', 'bb1']);
  assert.deepEqual(texts(unindexed.take(4)), ['bb4']);
  assert.deepEqual(texts(unindexed.take(4)), []);
  assert.equal(unindexed.count, 0);
});

test('an entry that is added while a set is taken belongs to the next set', () => {
  const unindexed = createUnindexed();
  for (const text of ['b1', 'c2']) unindexed.add(entry(text));
  unindexed.take(1);
  for (const text of ['a3', 'b4']) unindexed.add(entry(text));

  assert.deepEqual([unindexed.count, unindexed.setCount, unindexed.oldest], [3, 1, '3']);
  assert.deepEqual(texts(unindexed.take(9)), ['c2']);
  assert.deepEqual(texts(unindexed.take(9)), ['a3', 'b4']);
  assert.deepEqual([unindexed.count, unindexed.oldest, unindexed.newest], [0, undefined, '4']);
});
