import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throttle } from '../../web/service/throttle.ts';

test('throttled work cools down after each run, and runs once for all calls meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const runs: string[] = [];
  const { promise: isFirstOver, resolve: endFirst } = Promise.withResolvers<void>();
  const request = throttle(async (cause: string) => {
    runs.push(cause);
    if (runs.length === 1) await isFirstOver;
  });
  for (const cause of ['a', 'b', 'c']) request(cause);
  assert.deepEqual(runs, ['a']);
  endFirst();
  await new Promise(setImmediate);
  request('d');
  t.mock.timers.tick(999);
  assert.deepEqual(runs, ['a'], 'the work pauses for a second at least');
  t.mock.timers.tick(60_000);
  assert.deepEqual(runs, ['a', 'd']);
  await new Promise(setImmediate);
  t.mock.timers.tick(60_000);
  request('e');
  assert.deepEqual(runs, ['a', 'd', 'e'], 'what is asked after the rest runs at once');
});
