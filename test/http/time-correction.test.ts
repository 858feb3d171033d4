import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../src/core/model/time-units.ts';
import { timeJob } from '../../src/service/jobs/jobs.ts';
import { fileIdOf } from '../support/attempts.ts';
import { until } from '../support/http-client.ts';
import { startService, testClock } from '../support/service.ts';

test('the times of the store are corrected each minute, and at once when the clock is set back', async () => {
  const clock = testClock();
  const start = clock.now;
  const corrected: number[] = [];
  const correctTimes = async (now: number) => void corrected.push(now - start);
  const { run } = timeJob({ correctTimes }, clock);
  const { signal } = new AbortController();
  for (const at of [0, 59_999, 60_000, 60_000 + HOUR_MS, 61_000, 75_999, 76_000, 135_998, 135_999]) {
    clock.now = start + at;
    await run(signal);
  }
  const afterSetBack = [61_000, 75_999]; // what began before may be committed meanwhile
  assert.deepEqual(corrected, [0, 60_000, 60_000 + HOUR_MS, ...afterSetBack, 135_999]);
});

test('a service that starts corrects the times of a clock that was ahead', async (t) => {
  const { clock, stores, startJobs } = await startService(t);
  await stores.store.begin(fileIdOf(1), clock.now + HOUR_MS);
  await startJobs();
  await until(async () => (await stores.store.claimStale(clock.now + 1, 1)).length === 1);
});
