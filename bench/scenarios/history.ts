import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillStore, sharedDataSet } from '../support/data-set.ts';
import { figuresOf, quantile, single } from '../support/figures.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { openStoreOn } from '../support/postgres.ts';
import { KEY, type Server } from '../support/processes.ts';
import { type Effort, MEGABYTE, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { openClient } from '../support/timed-get.ts';

const AUTHORIZATION = { authorization: `Bearer ${KEY}` };
const REQUESTS_PER_ROUND = 300;
const SEARCHES_PER_ROUND = 30;
const WARM_UP_REQUESTS = 100;
const SAMPLE_MS = 20;
/** Together as many as an embedded store leaves for later before it writes the rows of links. */
const ATTEMPTS_PER_SECOND = 2_000;
const LOAD_BEFORE_MS = 15_000;

export const history: Scenario = {
  name: 'history',
  about: 'pages and the export of a link with 1 M attempts, in a store of 10 M records',
  run: (effort) =>
    inScratch(async (scratch) => {
      const dataSet = await sharedDataSet(effort, sizeOf(effort));
      return timeHistory(effort, await scratch.startService({ dataSet }), dataSet.paths);
    }),
};

export const postgresHistory: Scenario = {
  name: 'postgres-history',
  about: 'the same on PostgreSQL; builds a new store, which takes minutes',
  run: (effort) =>
    inScratch(async (scratch) => {
      const database = await scratch.startPostgres();
      const store = await openStoreOn(database);
      const paths = await fillStore(store, sizeOf(effort));
      await store.close();
      await database.query('VACUUM ANALYZE');
      return timeHistory(effort, await scratch.startService({ databaseUrl: database.url }), paths);
    }),
};

function sizeOf(effort: Effort) {
  const links = scaled(1_000_000, effort);
  return { links, records: scaled(10_000_000, effort), onOneLink: scaled(1_000_000, effort) };
}

async function timeHistory(effort: Effort, service: Server, paths: readonly string[]): Promise<Row[]> {
  const code = paths[0]?.split('/').at(-1) ?? '';
  const path = `/api/links/${code}/history`;
  const year = new Date(Date.now() - 180 * 24 * 3_600_000).toISOString();
  const client = openClient(service.url, { connections: 1, headers: AUTHORIZATION });
  const time = async (url: string, requests: number) => {
    const times: number[] = [];
    for (let request = 0; request < requests; request++) times.push(await client.get(url, 200));
    return times;
  };
  const rows: Row[] = [];
  for (const { what, url, requests, atMost } of [
    { what: 'first page', url: path, requests: REQUESTS_PER_ROUND, atMost: 10 },
    { what: 'a page that ends half a year ago', url: `${path}?end=${year}`, requests: SEARCHES_PER_ROUND },
    { what: 'first page of all links', url: '/api/audit', requests: REQUESTS_PER_ROUND, atMost: 10 },
    { what: 'a search of 10,000 entries', url: `${path}?result=EXPIRED`, requests: SEARCHES_PER_ROUND },
  ]) {
    await time(url, Math.min(requests, WARM_UP_REQUESTS));
    const rounds: number[][] = [];
    for (let round = 0; round < effort.rounds; round++) rounds.push(await time(url, requests));
    rows.push(...toRows(what, rounds, atMost));
  }
  const rounds = await whileAttemptsGoOn({ url: service.url, paths }, async () => {
    const times: number[][] = [];
    for (let round = 0; round < effort.rounds; round++) times.push(await time(path, REQUESTS_PER_ROUND));
    return times;
  });
  rows.push(...toRows('first page while attempts on other links go on', rounds, 10));
  client.close();
  return [...rows, ...(await timeExport(service, path))];
}

function toRows(what: string, rounds: readonly number[][], atMost?: number): Row[] {
  const figuresAt = (at: number) => figuresOf(rounds.map((times) => quantile(times, at)));
  return [
    { what: `${what} p50`, figures: figuresAt(0.5), unit: 'ms' },
    { what: `${what} p99`, figures: figuresAt(0.99), unit: 'ms', ...(atMost && { goal: { atMost } }) },
  ];
}

async function whileAttemptsGoOn<T>(
  target: { url: string; paths: readonly string[] },
  measure: () => Promise<T>,
): Promise<T> {
  let isOn = true;
  const load = pacedLoad(target, { perSecond: ATTEMPTS_PER_SECOND, isOn: () => isOn });
  try {
    await sleep(LOAD_BEFORE_MS);
    return await measure();
  } finally {
    isOn = false;
    await load;
  }
}

/** Times one export of the link's whole history, while it samples the memory of the service. */
async function timeExport(service: Server, path: string): Promise<Row[]> {
  const before = service.memory().nowBytes;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, service.memory().nowBytes);
  }, SAMPLE_MS);
  const startedAt = performance.now();
  const records = await countLines(`${service.url}${path}`);
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampling);
  return [
    { what: `export of ${records} entries`, figures: single(records / seconds), unit: 'records/s' },
    { what: 'memory above that before the export', figures: single((most - before) / MEGABYTE), unit: 'MB' },
  ];
}

const LINE_END = '\n'.charCodeAt(0);

function countLines(url: string): Promise<number> {
  const headers = { ...AUTHORIZATION, accept: 'application/x-ndjson' };
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      let lines = -1; // the first line is the head of the chain
      response.on('data', (chunk: Buffer) => {
        for (const byte of chunk) if (byte === LINE_END) lines += 1;
      });
      response.once('error', reject);
      response.once('end', () => resolve(lines));
    }).once('error', reject);
  });
}
