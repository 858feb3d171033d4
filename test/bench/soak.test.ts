import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ACTIONS, prepareScene } from '../../bench/soak/actions.ts';
import { createClient } from '../../bench/soak/client.ts';
import { findTrends } from '../../bench/soak/judge.ts';
import type { Sample } from '../../bench/soak/samples.ts';
import { seededInt } from '../support/random.ts';
import { startService } from '../support/service.ts';

const SAMPLE: Sample = {
  residentBytes: 100,
  heapUsedBytes: 50,
  heapTotalBytes: 60,
  externalBytes: 5,
  arrayBuffersBytes: 4,
  otherHeapsBytes: 30,
  descriptors: 40,
  connections: 100,
  threads: 14,
  longestDelayMs: 20,
  walBytes: 0,
  p99Ms: 10,
  actions: 1_000,
  skipped: 0,
  errors: 0,
};

/** Returns eight samples of which the last two differ. */
const samplesThatEndWith = (change: Partial<Sample>): Sample[] =>
  Array.from({ length: 8 }, (_, index) => (index < 6 ? SAMPLE : { ...SAMPLE, ...change }));

function missed(change: Partial<Sample>): string[] {
  return findTrends(samplesThatEndWith(change))
    .filter(({ isJudged, isFlat }) => isJudged && !isFlat)
    .map(({ what }) => what);
}

describe('the verdict of a soak', () => {
  for (const [change, expected] of [
    [{}, []],
    [{ residentBytes: 110 }, []],
    [{ residentBytes: 111 }, ['residentBytes']],
    [{ descriptors: 54 }, []],
    [{ descriptors: 55 }, ['descriptors']],
    [{ threads: 16 }, ['threads']],
    [{ connections: 1_000, p99Ms: 1_000 }, []],
  ] as [Partial<Sample>, string[]][]) {
    test(`names ${expected.join() || 'nothing'} for ${JSON.stringify(change)}`, () => {
      assert.deepEqual(missed(change), expected);
    });
  }

  test('compares the median of the first quarter with that of the last', () => {
    const samples = [1, 9, 2, 50, 50, 50, 50, 50, 50, 3, 4, 90].map((residentBytes) => ({
      ...SAMPLE,
      residentBytes,
    }));
    const trend = findTrends(samples).find(({ what }) => what === 'residentBytes');
    assert.deepEqual([trend?.first, trend?.last], [2, 4]);
  });

  test('needs four samples', () => {
    assert.throws(() => findTrends([SAMPLE, SAMPLE, SAMPLE]), RangeError);
  });
});

test('every action of a soak gets the responses that it expects', async (t) => {
  const service = await startService(t, { flags: ['--app.log.level=error'] });
  await service.startJobs(); // health depends on their first run
  const randomInt = seededInt(1);
  const client = createClient(service.url, randomInt);
  t.after(client.close);
  const scene = await prepareScene(client, randomInt);
  for (const { name, run } of ACTIONS) {
    // It takes 20 seconds by design.
    if (name !== 'download slowly') await run(scene);
  }
  assert.ok(client.connections() > 0);
  assert.deepEqual(service.logged(), []);
});
