import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ACTIONS, prepareScene } from '../../bench/soak/actions.ts';
import { createClient } from '../../bench/soak/client.ts';
import { findShares, findTrends } from '../../bench/soak/find-trends.ts';
import type { Sample } from '../../bench/soak/samples.ts';
import { problemsOf } from '../drive/report.ts';
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
  resent: 0,
  errors: 0,
};

/** Returns eight samples of which the last two differ. */
const samplesThatEndWith = (change: Partial<Sample>): Sample[] =>
  Array.from({ length: 8 }, (_, index) => (index < 6 ? SAMPLE : { ...SAMPLE, ...change }));

/** Returns what is missed of a soak that ends so. */
function missed(change: Partial<Sample>): string[] {
  const problems = problemsOf({ findings: [], figures: findTrends(samplesThatEndWith(change)) });
  return problems.map((problem) => problem.replace(/,.*/, ''));
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
    test(`the verdict names ${expected.join() || 'nothing'} for ${JSON.stringify(change)}`, () => {
      assert.deepEqual(missed(change), expected);
    });
  }

  for (const what of ['skipped', 'resent'] as const) {
    test(`the verdict allows one percent of the actions to be ${what}`, () => {
      const areSmall = (count: number) => {
        const figures = findShares([SAMPLE, { ...SAMPLE, [what]: count }]);
        return problemsOf({ findings: [], figures }).length === 0;
      };
      assert.deepEqual([20, 21].map(areSmall), [true, false]);
    });
  }

  test('the verdict compares the median of the first quarter with that of the last', () => {
    const samples = [1, 9, 2, 50, 50, 50, 50, 50, 50, 3, 4, 90].map((threads) => ({ ...SAMPLE, threads }));
    const trend = findTrends(samples).find(({ what }) => what === 'threads, at first 2.0');
    assert.equal(trend?.value, 4);
  });

  test('the verdict needs four samples', () => {
    assert.throws(() => findTrends([SAMPLE, SAMPLE, SAMPLE]), RangeError);
  });
});

test('the load sends a request once more only if its connection was idle', async (t) => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests === 1) response.end();
    else request.socket.resetAndDestroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server[Symbol.asyncDispose]());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const sendTwice = async (idleMs: number) => {
    requests = 0;
    const client = createClient(`http://127.0.0.1:${address.port}`, (max) => max - 1, idleMs);
    t.after(client.close);
    await client.send('/');
    await setImmediate(); // the connection is free by then
    await assert.rejects(client.send('/'), { code: 'ECONNRESET' });
    return { requests, resent: client.takeResent() };
  };
  assert.deepEqual(await sendTwice(60_000), { requests: 2, resent: 0 });
  assert.deepEqual(await sendTwice(0), { requests: 3, resent: 1 });
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
