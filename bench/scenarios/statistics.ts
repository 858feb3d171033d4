import { fillStore, sharedDataSet } from '../support/data-set.ts';
import { figuresOf, quantile, single } from '../support/figures.ts';
import { openStoreOn, type PostgresServer } from '../support/postgres.ts';
import type { Server } from '../support/processes.ts';
import { type Effort, MIN_RATIO_AGAINST, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { openClient, type TimedGet } from '../support/timed-get.ts';

/** Each canonical statistic, over all time. */
const STATISTICS = [
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

/** With a range, the rows of the audit are counted; these figures have no goal. */
const RANGES = [
  { what: 'one day', days: 1, requests: 10 },
  { what: 'thirty days', days: 30, requests: 1 },
];
const DAY_MS = 24 * 3_600_000;

export const statistics: Scenario = {
  name: 'statistics',
  about: 'each statistic over one connection, at 10 M records against 10 k',
  run: (effort) =>
    inScratch(async (scratch) => {
      const start = async (size: Size, checkout?: string) =>
        scratch.startService({ dataSet: await sharedDataSet(effort, size), checkout });
      const [large, { against }] = [largeOf(effort), effort];
      return timeStatistics(effort, {
        large: await start(large),
        other: await start(against ? large : SMALL, against),
      });
    }),
};

export const postgresStatistics: Scenario = {
  name: 'postgres-statistics',
  about: 'the same on PostgreSQL, and the size of a record; builds a new store, which takes minutes',
  run: (effort) =>
    inScratch(async (scratch) => {
      async function start(size: Size) {
        const database = await scratch.startPostgres();
        const store = await openStoreOn(database);
        await fillStore(store, size);
        await store.close();
        await database.query('VACUUM ANALYZE');
        return { database, server: await scratch.startService({ databaseUrl: database.url }) };
      }
      const [large, small] = [await start(largeOf(effort)), await start(SMALL)];
      const rows = await timeStatistics(effort, { large: large.server, other: small.server });
      return [...rows, ...(await bytesPerRow(large.database))];
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
    rows.push(await timeRange(largeClient.get, range, effort));
    if (effort.against) rows.push(await timeRange(otherClient.get, range, effort, ` in ${effort.against}`));
  }
  largeClient.close();
  otherClient.close();
  return rows;
}

/** Returns the bytes per row of the tables that grow, including their indexes. */
async function bytesPerRow(database: PostgresServer): Promise<Row[]> {
  const rows: Row[] = [];
  for (const table of ['audit', 'link', 'link_target']) {
    const [size] = await database.query<{ bytes: number }>(
      `SELECT (pg_total_relation_size('${table}') / (SELECT count(*) FROM ${table}))::int AS bytes`,
    );
    rows.push({ what: `a row of ${table}`, figures: single(size?.bytes ?? Number.NaN), unit: 'B' });
  }
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

async function timeRange(
  get: TimedGet,
  { what, days, requests }: (typeof RANGES)[number],
  { rounds }: Effort,
  where = '',
): Promise<Row> {
  const end = Date.now() - 100 * DAY_MS;
  const [start, until] = [end - days * DAY_MS, end].map((time) => new Date(time).toISOString());
  const times = await timesOf(
    get,
    `/api/stats/access/summary?start=${start}&end=${until}`,
    requests * rounds,
  );
  return { what: `access/summary of ${what}${where}`, figures: figuresOf(times), unit: 'ms' };
}
