import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockAwareBatcher } from '../../../src/stores/postgres/lock-aware-batcher.ts';
import { LOCKED } from '../../../src/stores/postgres/lock-wait-queue.ts';

const ITEMS = ['one', 'two'].map((shortCode) => ({ shortCode }));

test('a batch with too few outcomes is rejected, and nothing of it waits for a lock', async () => {
  const batcher = new LockAwareBatcher<{ shortCode: string }, string>({
    commit: async () => ['committed'],
    commitOnLockedLinks: async () => assert.fail('no link is locked'),
    timeoutMs: null,
  });
  const results = await Promise.allSettled(ITEMS.map((item) => batcher.add(item)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await batcher.settled();
});

test('a try on locked links with too few outcomes is rejected', async () => {
  const batcher = new LockAwareBatcher<{ shortCode: string }, string>({
    commit: async (items) => items.map(() => LOCKED),
    commitOnLockedLinks: async () => ['committed'],
    timeoutMs: null,
  });
  const results = await Promise.allSettled(ITEMS.map((item) => batcher.add(item)));
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});
