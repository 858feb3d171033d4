import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { fillStore, sharedDataSet } from '../support/data-set.ts';
import { figuresOf, quantile, single } from '../support/figures.ts';
import { openStoreOn } from '../support/postgres.ts';
import type { Server } from '../support/processes.ts';
import { type Effort, MIN_RATIO_AGAINST, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { copyDataSet, inScratch } from '../support/scratch.ts';
import { postern, recordsOf } from '../support/subjects.ts';
import { openClient, type TimedGet } from '../support/timed-get.ts';

/** Each canonical statistic, over all time. */
export const STATISTICS = [
  'access/summary',
  'access/hourly',
  'access/daily',
  'access/over-time',
  'access/by-result',
  'access/failures',
  'links',
  'links/top',
  'security/exceptions',
];
const REQUESTS_PER_ROUND = 300;
const WARM_UP_REQUESTS = 100;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RANGE_REQUESTS_PER_ROUND = 100;
const RANGE_STATISTICS = ['access/summary', 'access/hourly', 'access/daily'];

type Range = { what: string; choose(now: number): { start: number; end: number } };
const RANGES: Range[] = [
  endingNow('24 hours', DAY_MS),
  endingNow('7 days', 7 * DAY_MS),
  endingNow('30 days', 30 * DAY_MS),
  {
    what: '1 hour to 30 days',
    choose(now) {
      const length = HOUR_MS + Math.floor(Math.random() * (30 * DAY_MS - HOUR_MS));
      const end = now - Math.floor(Math.random() * 330 * DAY_MS);
      return { start: end - length, end };
    },
  },
];

function endingNow(what: string, length: number): Range {
  return { what, choose: (now) => ({ start: now - length, end: now }) };
}

export const statistics: Scenario = {
  name: 'statistics',
  about: 'each statistic over one connection, at 10 M records against 10 k',
  run: (effort) =>
    inScratch(async (scratch) => {
      async function start(size: Size, checkout?: string) {
        const directory = scratch.directory();
        copyDataSet(await sharedDataSet(effort, size), directory);
        if (checkout === undefined) {
          const store = await openSqliteStore({ path: join(directory, 'postern.db') });
          await store.close();
        }
        return scratch.startService({ directory, checkout });
      }
      const [large, { against }] = [largeOf(effort), effort];
      return timeStatistics(effort, {
        large: await start(large),
        other: await start(against ? large : SMALL, against),
      });
    }),
};

export const postgresStatistics: Scenario = {
  name: 'postgres-statistics',
  about: 'the same on PostgreSQL; builds a new store, which takes minutes',
  run: (effort) =>
    inScratch(async (scratch) => {
      async function start(size: Size) {
        const database = await scratch.startPostgres();
        const store = await openStoreOn(database);
        await fillStore(store, size);
        await store.close();
        await database.query('VACUUM ANALYZE');
        return scratch.startService({ databaseUrl: database.url });
      }
      const [large, small] = [await start(largeOf(effort)), await start(SMALL)];
      return timeStatistics(effort, { large, other: small });
    }),
};

/** The pause between two statistics that are read under load. */
const LOADED_PAUSE_MS = 50;

export const statisticsLoaded: Scenario = {
  name: 'statistics-loaded',
  about: 'a statistic every 50 ms, while 100,000 links are opened at random',
  run: (effort) =>
    inScratch(async (scratch) => {
      const links = await sharedDataSet(effort, { links: scaled(100_000, effort) });
      const service = await scratch.startService({ dataSet: links });
      // It fails unless a count right after the load has every response.
      const load = postern(service, { paths: links.paths, status: 302 }, { count: recordsOf('SUCCESS') });
      const client = openClient(service.url, { connections: 1 });
      const rounds: { rate: number; p99Ms: number }[] = [];
      for (let round = 0; round <= effort.rounds; round++) {
        let isLoaded = true;
        const times: number[] = [];
        const read = async () => {
          while (isLoaded) {
            times.push(await client.get('/api/stats/access/by-result', 200));
            await setTimeout(LOADED_PAUSE_MS);
          }
        };
        const measuring = load.measure(effort.seconds).finally(() => {
          isLoaded = false;
        });
        const [{ rate }] = await Promise.all([measuring, read()]);
        if (round > 0) rounds.push({ rate, p99Ms: quantile(times, 0.99) }); // the first warms up
      }
      client.close();
      return [
        { what: 'redirects', figures: figuresOf(rounds.map(({ rate }) => rate)), unit: 'req/s' },
        {
          what: 'access/by-result p99',
          figures: figuresOf(rounds.map(({ p99Ms }) => p99Ms)),
          unit: 'ms',
          goal: { atMost: 50 },
        },
      ];
    }),
};

type Size = { links: number; records: number };
const SMALL: Size = { links: 10_000, records: 10_000 };

function largeOf(effort: Effort): Size {
  return { links: scaled(1_000_000, effort), records: scaled(10_000_000, effort) };
}

/** `other` is a small store, or the same store in another checkout. */
async function timeStatistics(
  effort: Effort,
  { large, other }: { large: Server; other: Server },
): Promise<Row[]> {
  const largeClient = openClient(large.url, { connections: 1 });
  const otherClient = openClient(other.url, { connections: 1 });
  const rows: Row[] = [];
  for (const name of STATISTICS) {
    rows.push(...(await compareTimes(effort, name, { large: largeClient.get, other: otherClient.get })));
  }
  for (const range of RANGES) {
    for (const name of RANGE_STATISTICS) {
      rows.push(...(await timeRange(largeClient.get, name, range, effort)));
      if (effort.against) rows.push(await timeRangeOnce(otherClient.get, name, range, effort.against));
    }
  }
  largeClient.close();
  otherClient.close();
  return rows;
}

async function compareTimes(
  { rounds, against }: Effort,
  name: string,
  { large, other }: { large: TimedGet; other: TimedGet },
): Promise<Row[]> {
  const path = `/api/stats/${name}`;
  await timesOf(other, path, WARM_UP_REQUESTS);
  await timesOf(large, path, WARM_UP_REQUESTS);
  const measured: { large: number[]; other: number[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    const otherTimes = await timesOf(other, path, REQUESTS_PER_ROUND);
    measured.push({ other: otherTimes, large: await timesOf(large, path, REQUESTS_PER_ROUND) });
  }
  const ratios = measured.map((times) => quantile(times.large, 0.5) / quantile(times.other, 0.5));
  return [
    {
      what: `${name} p50`,
      figures: figuresOf(measured.map((times) => quantile(times.large, 0.5))),
      unit: 'ms',
    },
    {
      what: `${name} p99`,
      figures: figuresOf(measured.map((times) => quantile(times.large, 0.99))),
      unit: 'ms',
      goal: { atMost: 5 },
    },
    {
      what: `${name} p50 / ${against ?? 'at 10 k'}`,
      figures: figuresOf(ratios),
      unit: 'ratio',
      goal: { atMost: against ? 1 / MIN_RATIO_AGAINST : 2 },
    },
  ];
}

async function timesOf(get: TimedGet, path: string, requests: number): Promise<number[]> {
  const times: number[] = [];
  for (let request = 0; request < requests; request++) times.push(await get(path, 200));
  return times;
}

async function timeRange(get: TimedGet, name: string, range: Range, { rounds }: Effort): Promise<Row[]> {
  const times: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const ofRound: number[] = [];
    for (let request = 0; request < RANGE_REQUESTS_PER_ROUND; request++)
      ofRound.push(await get(pathOf(name, range), 200));
    times.push(ofRound);
  }
  const what = `${name} of ${range.what}`;
  return [
    { what: `${what} p50`, figures: figuresOf(times.map((each) => quantile(each, 0.5))), unit: 'ms' },
    {
      what: `${what} p99`,
      figures: figuresOf(times.map((each) => quantile(each, 0.99))),
      unit: 'ms',
      goal: { atMost: 10 },
    },
  ];
}

/** One request, because an earlier version counts the records of the range, which takes seconds. */
async function timeRangeOnce(get: TimedGet, name: string, range: Range, where: string): Promise<Row> {
  const ms = await get(pathOf(name, range), 200);
  return { what: `${name} of ${range.what} in ${where}`, figures: single(ms), unit: 'ms' };
}

function pathOf(name: string, { choose }: Range): string {
  const { start, end } = choose(Date.now());
  return `/api/stats/${name}?start=${new Date(start).toISOString()}&end=${new Date(end).toISOString()}`;
}
