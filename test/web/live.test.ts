import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventParser } from '../../client/event-parser.ts';
import { throttle } from '../../web/service/throttle.ts';

test('a stream that arrives in any pieces is parsed', () => {
  const stream =
    'retry: 2000\n\n:\n\nid: a\n\nid: b\nevent: entries\ndata: {"x":"1: 2"}\n\nid: c\ndata: {}\n\n';
  const expected = [
    { id: 'a', data: undefined },
    { id: 'b', data: '{"x":"1: 2"}' },
    { id: 'c', data: '{}' },
  ];
  for (const pieceLength of [1, 2, 7, stream.length]) {
    const events: unknown[] = [];
    const parse = createEventParser((event) => events.push(event));
    for (let start = 0; start < stream.length; start += pieceLength) {
      parse(stream.slice(start, start + pieceLength));
    }
    assert.deepEqual(events, expected);
  }
});

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
