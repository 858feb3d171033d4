import { createSetLink } from '../../test/support/uploads.ts';
import { runCommand, runProgram, storeFlags } from '../support/command.ts';
import { fillManaged, managedDataSet, managedPathsIn } from '../support/data-set.ts';
import { figuresOf, quantile } from '../support/figures.ts';
import { pacedLoad } from '../support/paced-load.ts';
import { openStoreOn } from '../support/postgres.ts';
import { KEY, type Server } from '../support/processes.ts';
import { type Effort, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';

const LINKS = 20_000;
const RECORDS = 200_000;
const FILES = 10_000;
/** Few enough that the service is idle for most of the time. */
const REDIRECTS_PER_SECOND = 500;
const MAX_RATIO = 1.5;
const YEAR = new Date(Date.now() - 364 * 86_400_000).toISOString();

/** Other work, repeated for as long as it is measured. */
type Work = { what: string; once(): Promise<unknown> };

export const beside: Scenario = {
  name: 'beside',
  about: 'p99 of 500 redirects a second beside other work on 20,000 links, against without it',
  run: async (effort) => [
    ...(await inScratch(async (scratch) => {
      const set = await managedDataSet(scaled(LINKS, effort), scaled(RECORDS, effort));
      const service = await scratch.startService({ dataSet: set });
      const flags = storeFlags(service.directory);
      const works = [
        { what: 'backup', once: () => runCommand(['backup', scratch.directory(), ...flags]) },
        { what: 'verify', once: () => runCommand(['verify', ...flags]) },
        ...(await requestsOf(service, effort)),
      ];
      return measureAll('SQLite', { service, paths: set.paths, works }, effort);
    })),
    ...(await inScratch(async (scratch) => {
      const database = await scratch.startPostgres();
      const store = await openStoreOn(database);
      const links = scaled(LINKS, effort);
      await fillManaged(store, links, scaled(RECORDS, effort));
      await store.close();
      await database.query('VACUUM ANALYZE');
      const service = await scratch.startService({ databaseUrl: database.url });
      const flags = storeFlags(service.directory, database.url);
      const works = [
        { what: 'verify', once: () => runCommand(['verify', ...flags]) },
        ...(await requestsOf(service, effort)),
      ];
      return measureAll('PostgreSQL', { service, paths: managedPathsIn(links), works }, effort);
    })),
  ],
};

/** Returns requests of the pages that cost much. */
async function requestsOf({ url }: Server, effort: Effort): Promise<Work[]> {
  const files = scaled(FILES, effort);
  const shortCode = await createSetLink({ url }, files);
  const repeat = (path: string) => async () =>
    runProgram(['bench/repeated-get.ts', url + path, KEY, String(effort.seconds)]);
  return [
    { what: 'a statistic of a year', once: repeat(`/api/stats/access/summary?start=${YEAR}`) },
    { what: 'a page of the list', once: repeat('/api/links?limit=200') },
    { what: `the ZIP of ${files} files`, once: repeat(`/l/${shortCode}`) },
  ];
}

async function measureAll(
  engine: string,
  { service, paths, works }: { service: Server; paths: readonly string[]; works: readonly Work[] },
  { rounds, seconds }: Effort,
): Promise<Row[]> {
  const target = { url: service.url, paths };
  const p99During = async (work?: Work): Promise<number> => {
    const endsAt = performance.now() + seconds * 1000;
    const isOn = (): boolean => performance.now() < endsAt;
    const repeat = async (): Promise<void> => {
      while (work && isOn()) await work.once();
    };
    const [times] = await Promise.all([
      pacedLoad(target, { perSecond: REDIRECTS_PER_SECOND, isOn }),
      repeat(),
    ]);
    return quantile(times, 0.99);
  };
  await p99During();
  const rows: Row[] = [];
  for (const work of works) {
    const measured: { alone: number; during: number }[] = [];
    for (let round = 0; round < rounds; round++)
      measured.push({ alone: await p99During(), during: await p99During(work) });
    rows.push(
      {
        what: `${engine}, p99 beside ${work.what}`,
        figures: figuresOf(measured.map(({ during }) => during)),
        unit: 'ms',
      },
      {
        what: `${engine}, p99 beside ${work.what} / without`,
        figures: figuresOf(measured.map(({ alone, during }) => during / alone)),
        unit: 'ratio',
        goal: { atMost: MAX_RATIO },
      },
    );
  }
  return rows;
}
