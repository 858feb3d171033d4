import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinkBatcher } from '../../src/stores/link-batcher.ts';
import { LOCKED } from '../../src/stores/sql/link-transaction.ts';

type Item = { shortCode: string; name: string };
const item = (name: string): Item => ({ shortCode: 'L0000001', name });
const IS_LOCKED = /locked the link in the database/;

/** Batches items of one link, which is locked until `unlock`. `commits` has the names of each batch. */
function openBatcher(onCommit: (items: Item[]) => void) {
  let isLocked = true;
  const commits: string[] = [];
  const batcher = createLinkBatcher<Item, string>(async (items) => {
    commits.push(items.map(({ name }) => name).join(' '));
    onCommit(items);
    return items.map(({ name }) => (isLocked ? LOCKED : `committed ${name}`));
  });
  return {
    ...{ batcher, commits },
    unlock(): void {
      isLocked = false;
    },
  };
}

test('an item of a locked link joins those that wait, also once the first of them was refused', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let second: Promise<string> | undefined;
  const { batcher, commits, unlock } = openBatcher(() => {
    now += 100;
    if (now === 500) second = batcher.add(item('second'));
  });
  await assert.rejects(batcher.add(item('first')), IS_LOCKED);
  assert.ok(second);
  const before = commits.length;
  const third = batcher.add(item('third'));
  await assert.rejects(second, IS_LOCKED);
  unlock();
  assert.equal(await third, 'committed third');
  const between = commits.slice(before, -1);
  assert.ok(!between.includes('third'), `not alone while the second waits: ${between}`);
});

test('an item of a link that is free again does not join those that still wait', async () => {
  let joining: Promise<string> | undefined;
  const { batcher, commits, unlock } = openBatcher(() => {
    if (commits.length === 3) {
      unlock();
      joining = batcher.add(item('second'));
    }
  });
  assert.equal(await batcher.add(item('first')), 'committed first');
  const third = batcher.add(item('third'));
  assert.deepEqual(await Promise.all([joining, third]), ['committed second', 'committed third']);
  assert.deepEqual(commits.slice(3), ['second', 'third'], 'in batches of their own');
});
