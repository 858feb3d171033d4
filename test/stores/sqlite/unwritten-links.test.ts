import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnwrittenLinks } from '../../../src/stores/sqlite/unwritten-links.ts';

test('links are taken in the order of their short codes', () => {
  const unwritten = createUnwrittenLinks();
  for (const shortCode of ['bb', 'a2', 'ba', 'B', 'a1', '_']) unwritten.add(shortCode);

  assert.deepEqual(unwritten.take(2), ['B', '_']);
  assert.equal(unwritten.setCount, 4);
  assert.deepEqual(unwritten.take(3), ['a1', 'a2', 'ba']);
  assert.deepEqual(unwritten.take(4), ['bb']);
  assert.deepEqual(unwritten.take(4), []);
  assert.equal(unwritten.count, 0);
});

test('a link that is added while a set is taken belongs to the next set, and so do its attempts', () => {
  const unwritten = createUnwrittenLinks();
  for (const shortCode of ['b', 'c']) unwritten.add(shortCode);
  for (const id of ['1', '2']) unwritten.note(id);
  unwritten.take(1);
  unwritten.add('a');
  for (const id of ['4', '3', '5']) unwritten.note(id);

  assert.deepEqual([unwritten.count, unwritten.setCount, unwritten.oldest], [4, 1, '3']);
  assert.deepEqual(unwritten.take(9), ['c']);
  assert.deepEqual(unwritten.take(9), ['a']);
  assert.deepEqual([unwritten.count, unwritten.oldest, unwritten.newest], [0, undefined, '5']);
});
