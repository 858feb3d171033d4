import { fillManaged, managedDataSet } from '../support/data-set.ts';
import { figuresOf, quantile } from '../support/figures.ts';
import { openStoreOn } from '../support/postgres.ts';
import { KEY, type Server } from '../support/processes.ts';
import { type Effort, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { openClient } from '../support/timed-get.ts';

const LINKS = 10_000_000;
const REQUESTS_PER_ROUND = 100;
const WARM_UP_REQUESTS = 20;
const AT_MOST_MS = 50;
const SORTED_AT_MOST_MS = 500;
const HALF_YEAR_MS = 182 * 24 * 3_600_000;

const HALF_YEAR_AGO = new Date(Date.now() - HALF_YEAR_MS).toISOString();
/** The queries of the requests, by what they ask for. */
export const LISTS: Record<string, string> = {
  'first page': '',
  'a page of half a year ago': `end=${HALF_YEAR_AGO}`,
  'first page of the oldest': 'order=asc',
  '200 links': 'limit=200',
  'active links': 'state=ACTIVE',
  'expired links': 'state=EXPIRED',
  'used-up links': 'state=USED_UP',
  'paused links, which there are none of': 'state=PAUSED',
  'links of a campaign': 'label=campaign+77',
  'links with a frequent tag': 'tag=mailing',
  'links of an owner': 'owner=team-7',
  'downloads, which there are none of': 'type=DOWNLOAD',
  'the most viewed': 'sort=views',
  'the last opened': 'sort=opened',
  'the most viewed of a campaign': 'sort=views&label=campaign+77',
};
export const SEARCHES: Record<string, string> = {
  'a word of every link': 'search=example',
  'the beginning of many words': 'search=p',
  'a word of one link in eight': 'search=lisbon',
  'a word of one link in a thousand': 'search=77',
  'a word of one link': 'search=person4711%40example.org',
  'the beginning of ten words': 'search=person4711',
  'a word of no link': 'search=zebra',
  'the beginning of a code': 'search=x1a2b',
  'three words': 'search=campaign+77+oslo',
  'two words and a state': 'search=berlin+mailing&state=EXPIRED',
  'the most viewed with a word': 'sort=views&search=vienna',
};

export const list: Scenario = {
  name: 'list',
  about: 'pages of GET /api/links with each filter and order, in a store of 10 M links',
  run: (effort) => onSqlite(effort, LISTS),
};
export const search: Scenario = {
  name: 'search',
  about: 'searches of GET /api/links, in the same store',
  run: (effort) => onSqlite(effort, SEARCHES),
};
export const postgresList: Scenario = {
  name: 'postgres-list',
  about: 'both on PostgreSQL; builds a new store, which takes an hour',
  run: (effort) =>
    inScratch(async (scratch) => {
      const database = await scratch.startPostgres();
      const store = await openStoreOn(database);
      await fillManaged(store, scaled(LINKS, effort));
      await store.close();
      await database.query('VACUUM ANALYZE');
      const service = await scratch.startService({ databaseUrl: database.url });
      return timeQueries(effort, service, { ...LISTS, ...SEARCHES });
    }),
};

function onSqlite(effort: Effort, queries: Record<string, string>): Promise<Row[]> {
  return inScratch(async (scratch) => {
    const dataSet = await managedDataSet(scaled(LINKS, effort));
    return timeQueries(effort, await scratch.startService({ dataSet }), queries);
  });
}

/** Times the first page of each query, and the page after it where there is one. */
async function timeQueries(effort: Effort, service: Server, queries: Record<string, string>): Promise<Row[]> {
  const headers = { authorization: `Bearer ${KEY}` };
  const client = openClient(service.url, { connections: 1, headers });
  const time = async (path: string, requests: number) => {
    const times: number[] = [];
    for (let request = 0; request < requests; request++) times.push(await client.get(path, 200));
    return times;
  };
  const rows: Row[] = [];
  for (const [what, query] of Object.entries(queries)) {
    const path = `/api/links?${query}`;
    const { items, next } = await readPage(`${service.url}${path}`, headers);
    const pages = [{ name: `${what} (${items.length})`, path }];
    if (next !== null) pages.push({ name: `${what}, the next page`, path: `${path}&cursor=${next}` });
    for (const page of pages) {
      await time(page.path, WARM_UP_REQUESTS);
      const rounds: number[][] = [];
      for (let round = 0; round < effort.rounds; round++)
        rounds.push(await time(page.path, REQUESTS_PER_ROUND));
      rows.push(...toRows(page.name, query.includes('sort=') ? SORTED_AT_MOST_MS : AT_MOST_MS, rounds));
    }
  }
  client.close();
  return rows;
}

type Page = { items: unknown[]; next: string | null };

async function readPage(url: string, headers: Record<string, string>): Promise<Page> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return (await response.json()) as Page; // as the API reference declares
}

function toRows(what: string, atMost: number, rounds: readonly number[][]): Row[] {
  const figuresAt = (at: number) => figuresOf(rounds.map((times) => quantile(times, at)));
  return [
    { what: `${what} p50`, figures: figuresAt(0.5), unit: 'ms', goal: { atMost } },
    { what: `${what} p99`, figures: figuresAt(0.99), unit: 'ms' },
  ];
}
