import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareStorageDirectory } from '../../src/adapters/files/storage-directory.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { runCommand, storeFlags } from '../support/command.ts';
import { dataSet, fillDue, fillManaged, managedDataSet } from '../support/data-set.ts';
import { single } from '../support/figures.ts';
import { CREATOR_ADDRESS, managedLink } from '../support/made-up-data.ts';
import { openStoreOn } from '../support/postgres.ts';
import { KEY, type Server } from '../support/processes.ts';
import { type Effort, type Row, type Scenario, scaled, shortCount } from '../support/scenario.ts';
import { copyDataSet, inScratch, type Scratch } from '../support/scratch.ts';
import { openClient } from '../support/timed-get.ts';
import { LISTS, SEARCHES } from './list.ts';
import { STATISTICS } from './statistics.ts';

// What commands, jobs and requests of the pages cost as the store grows. Processor time, that of the database included:
// it hardly depends on what else the machine does.

type Engine = 'SQLite' | 'PostgreSQL';
/** A store. `databaseMs`: the CPU time of its server so far. */
type Place = { directory: string; url: string; databaseMs(): number };

const RECORDS_PER_LINK = 5;
/** What a command costs without links is not counted. */
const FEW = 200;
const MAX_GROWTH = 1.3;

export const verify: Scenario = {
  name: 'verify',
  about: 'postern verify at three sizes on both stores, with 5 attempts on each link, and without attempts',
  run: async (effort) => {
    const rows: Row[] = [];
    for (const engine of ['SQLite', 'PostgreSQL'] as const) {
      const verifyWith = (recordsPerLink: number) => async (scratch: Scratch, links: number) => ({
        [`verify on ${engine}`]: await timeCommand(
          await fillPlace(scratch, engine, links, links * recordsPerLink),
          'verify',
        ),
      });
      const sizes = [10_000, 20_000, 40_000];
      const used = await costsOf(sizes, effort, verifyWith(RECORDS_PER_LINK));
      const unused = await costsOf(sizes.slice(-1), effort, verifyWith(0));
      const [usOfUsed, usOfUnused] = [used, unused].map((costs) =>
        [...costs.values()][0]?.values().toArray().at(-1),
      );
      const usOfLink = usOfUnused ?? Number.NaN;
      const usOfRecord = ((usOfUsed ?? Number.NaN) - usOfLink) / RECORDS_PER_LINK;
      rows.push(...toRows(used), {
        ...{ what: `links without attempts on ${engine}`, figures: single(1e6 / usOfLink) },
        ...{ unit: 'links/s', goal: { atLeast: 10_000 } },
      });
      rows.push({
        ...{ what: `attempts on ${engine}`, figures: single(1e6 / usOfRecord) },
        ...{ unit: 'records/s', goal: { atLeast: 50_000 } },
      });
    }
    return rows;
  },
};

export const costs = prepareCosts('costs', 'SQLite', [10_000, 100_000, 1_000_000]);
export const postgresCosts = prepareCosts('postgres-costs', 'PostgreSQL', [10_000, 100_000]);

function prepareCosts(name: string, engine: Engine, sizes: number[]): Scenario {
  return {
    name,
    about: `commands, jobs and requests of the pages, with ${sizes.map(shortCount).join(', ')} links on ${engine}`,
    async run(effort) {
      const perLink = await costsOf(sizes, effort, async (scratch, links) => ({
        ...(await timeCommands(scratch, engine, links)),
        ...(await timeJobs(scratch, engine, links)),
      }));
      const perRequest = await costsOf(
        sizes,
        effort,
        (scratch, links) => timeRequests(scratch, engine, links),
        'REQUEST',
      );
      return [...toRows(perLink), ...toRows(perRequest)];
    },
  };
}

/** The cost of each operation in µs, by the number of links. */
type Costs = Map<string, Map<number, number>>;

/** Measures stores of some sizes. `measure` returns milliseconds, of an operation on all links or of one request. */
async function costsOf(
  sizes: readonly number[],
  effort: Effort,
  measure: (scratch: Scratch, links: number) => Promise<Record<string, number>>,
  of: 'LINK' | 'REQUEST' = 'LINK',
): Promise<Costs> {
  const costs: Costs = new Map();
  const fixed = of === 'LINK' ? await inScratch((scratch) => measure(scratch, FEW)) : {};
  for (const links of sizes.map((size) => scaled(size, effort))) {
    const measured = await inScratch((scratch) => measure(scratch, links));
    for (const [what, ms] of Object.entries(measured)) {
      const us = of === 'LINK' ? ((ms - (fixed[what] ?? 0)) * 1000) / (links - FEW) : ms * 1000;
      costs.set(what, (costs.get(what) ?? new Map()).set(links, us));
    }
  }
  return costs;
}

/** Returns the costs, and how much that of the largest store is of that of the smallest. */
function toRows(costs: Costs): Row[] {
  return [...costs].flatMap(([what, bySize]) => {
    const [first = 0, last = 0] = [[...bySize.values()].at(0), [...bySize.values()].at(-1)];
    return [
      ...[...bySize].map(
        ([links, us]): Row => ({
          ...{ what: `${what}, ${shortCount(links)} links`, figures: single(us), unit: 'µs' },
        }),
      ),
      {
        what: `${what}, growth`,
        figures: single(last / first),
        unit: 'ratio',
        goal: { atMost: MAX_GROWTH },
      },
    ];
  });
}

async function openPlace(scratch: Scratch, engine: Engine): Promise<Place> {
  const directory = scratch.directory();
  if (engine === 'SQLite')
    return { directory, url: `sqlite:${join(directory, 'postern.db')}`, databaseMs: () => 0 };
  const database = await scratch.startPostgres();
  return { directory, url: database.url, databaseMs: database.processorMs };
}

async function fillPlace(
  scratch: Scratch,
  engine: Engine,
  links: number,
  records = links * RECORDS_PER_LINK,
): Promise<Place> {
  const place = await openPlace(scratch, engine);
  await prepareStorageDirectory(join(place.directory, 'files'));
  if (engine === 'SQLite') copyDataSet(await managedDataSet(links, records), place.directory);
  else await fillStoreAt(place, (store) => fillManaged(store, links, records));
  return place;
}

async function fillStoreAt({ url, directory }: Place, fill: (store: Store) => Promise<void>): Promise<void> {
  await prepareStorageDirectory(join(directory, 'files'));
  const path = join(directory, 'postern.db');
  const store = url.startsWith('sqlite:') ? await openSqliteStore({ path }) : await openStoreOn({ url });
  await fill(store);
  await store.close();
}

/** Returns the CPU time of a command on a store. */
async function timeCommand(place: Place, ...args: readonly string[]): Promise<number> {
  const before = place.databaseMs();
  const { url, directory } = place;
  const ms = await runCommand([...args, ...storeFlags(directory, url)]);
  return ms + place.databaseMs() - before;
}

async function timeCommands(
  scratch: Scratch,
  engine: Engine,
  links: number,
): Promise<Record<string, number>> {
  const place = await fillPlace(scratch, engine, links);
  const [moved, imported] = [await openPlace(scratch, engine), await openPlace(scratch, engine)];
  await fillStoreAt(imported, async () => {});
  const table = join(scratch.directory(), 'links.csv');
  writeFileSync(table, toCsv(links));
  const movedBefore = moved.databaseMs();
  const ofMove = await timeCommand(place, 'move', `--to=${moved.url}`);
  const costs: Record<string, number> = {
    move: ofMove + moved.databaseMs() - movedBefore,
    'import csv': await timeCommand(imported, 'import', 'csv', table),
    verify: await timeCommand(place, 'verify'),
    rebuild: await timeCommand(place, 'rebuild'),
  };
  if (engine === 'SQLite') {
    const [folder, restored] = [scratch.directory(), await openPlace(scratch, engine)];
    costs['backup'] = await timeCommand(place, 'backup', folder);
    costs['restore'] = await timeCommand(restored, 'restore', folder);
  }
  costs['erase --ip'] = await timeCommand(place, 'erase', `--ip=${CREATOR_ADDRESS}`, '--yes');
  return costs;
}

function toCsv(links: number): string {
  const rows = Array.from({ length: links }, (_, index) => {
    const { shortCode, terms, createdAt } = managedLink(index, { count: links, yearStart: 0 });
    return [shortCode, `https://www.example.com/${index}`, new Date(createdAt).toISOString(), terms.label];
  });
  return ['shortCode,targetUrl,createdAt,label', ...rows].join('\n');
}

/** Measures the jobs of a service by what it takes until it is idle. */
async function timeJobs(scratch: Scratch, engine: Engine, links: number): Promise<Record<string, number>> {
  const timeService = async (place: Place, ...flags: string[]) => {
    const before = place.databaseMs();
    const { directory, url } = place;
    const service = await scratch.startService({ directory, databaseUrl: url, flags, isIdle: true });
    const ms = service.processorMs() + place.databaseMs() - before;
    await service.stop();
    return ms;
  };
  const due = await openPlace(scratch, engine);
  if (engine === 'SQLite') copyDataSet(await dataSet({ links: 1, due: links }), due.directory);
  else await fillStoreAt(due, (store) => fillDue(store, links));
  const used = await fillPlace(scratch, engine, links);
  return {
    start: await timeService(used),
    expiry: await timeService(due),
    retention: await timeService(used, '--app.audit.retention=P30D'),
  };
}

const YEAR = `start=${new Date(Date.now() - 364 * 86_400_000).toISOString()}`;
const OTHERS = [
  '/',
  '/api/audit',
  '/api/audit?limit=200',
  '/api/stats/mine',
  '/api/settings',
  '/actuator/prometheus',
];
const MIN_MS = 150;
const MAX_REQUESTS = 100;

async function timeRequests(
  scratch: Scratch,
  engine: Engine,
  links: number,
): Promise<Record<string, number>> {
  const { directory, url, databaseMs } = await fillPlace(scratch, engine, links);
  const service: Server = await scratch.startService({ directory, databaseUrl: url, isIdle: true });
  const { shortCode } = managedLink(2, { count: links, yearStart: 0 });
  const paths = [
    ...Object.values({ ...LISTS, ...SEARCHES }).map((query) => `/api/links?${query}`),
    ...STATISTICS.map((name) => `/api/stats/${name}`),
    ...[...STATISTICS, 'referrers', 'devices'].map((name) => `/api/stats/${name}?${YEAR}`),
    ...['', '/history', '/qr'].map((part) => `/api/links/${shortCode}${part}`),
    ...OTHERS,
  ];
  const headers = { authorization: `Bearer ${KEY}` };
  const client = openClient(service.url, { connections: 1, headers });
  const processorMs = () => service.processorMs() + databaseMs();
  const costs: Record<string, number> = {};
  for (const path of paths) {
    for (let request = 0; request < 5; request++) await client.get(path, 200); // warms up
    const before = processorMs();
    let requests = 0;
    while (requests < MAX_REQUESTS && processorMs() - before < MIN_MS) {
      await client.get(path, 200);
      requests += 1;
    }
    costs[`GET ${path}`] = (processorMs() - before) / requests;
  }
  client.close();
  return costs;
}
