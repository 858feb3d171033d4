import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, sumByDay, sumByHourOfDay } from '../../src/core/model/local-time.ts';

const HOUR = 3_600_000;
/** Returns one attempt in each hour from a time on. */
const hoursFrom = (start: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    startsAt: Date.parse(start) + index * HOUR,
    ...{ total: 2, success: 1, passwordRequests: 1 },
  }));

test('hours are summed by the days of a time zone, also by those of 23 and 25 hours', () => {
  const totals = (start: string, zone: string) =>
    sumByDay(hoursFrom(start, 48), zone).map(({ startsAt, total, success, passwordRequests }) => [
      new Date(startsAt).toISOString(),
      total,
      success,
      passwordRequests,
    ]);
  assert.deepEqual(totals('2026-03-28T23:00Z', 'Europe/Berlin'), [
    ['2026-03-28T23:00:00.000Z', 46, 23, 23],
    ['2026-03-29T22:00:00.000Z', 48, 24, 24],
    ['2026-03-30T22:00:00.000Z', 2, 1, 1],
  ]);
  assert.deepEqual(
    totals('2026-10-24T22:00Z', 'Europe/Berlin').map(([, total]) => total),
    [50, 46],
  );
  assert.deepEqual(
    totals('2026-06-01T00:00Z', 'UTC').map(([, total]) => total),
    [48, 48],
  );
  assert.deepEqual(
    totals('2026-06-01T00:00Z', 'Asia/Kolkata').map(([start]) => start),
    ['2026-05-31T18:30:00.000Z', '2026-06-01T18:30:00.000Z', '2026-06-02T18:30:00.000Z'],
  );
});

test('hours are summed by the hour that the clocks of a time zone show', () => {
  const counts = (start: string, count: number, zone: string) =>
    sumByHourOfDay(hoursFrom(start, count), zone).map(({ hour, count: attempts }) => [hour, attempts]);
  assert.deepEqual(counts('2026-06-01T22:00Z', 3, 'Europe/Berlin'), [
    [0, 2],
    [1, 2],
    [2, 2],
  ]);
  // The clocks go from 02:00 to 03:00, and in autumn they show 02:00 twice.
  assert.deepEqual(counts('2026-03-29T00:00Z', 2, 'Europe/Berlin'), [
    [1, 2],
    [3, 2],
  ]);
  assert.deepEqual(counts('2026-10-25T00:00Z', 3, 'Europe/Berlin'), [
    [2, 4],
    [3, 2],
  ]);
  assert.deepEqual(counts('2026-06-01T00:00Z', 1, 'Asia/Kolkata'), [[5, 2]]);
});

test('only names of time zones are accepted', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', 'Mars/Olympus', '', '../x'].map(isTimeZone), [
    true,
    true,
    false,
    false,
    false,
  ]);
});
