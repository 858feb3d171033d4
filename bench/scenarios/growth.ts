import { compare } from '../support/compare.ts';
import { type DataSet, type DataSetSize, dataSet, managedDataSet } from '../support/data-set.ts';
import { type Scenario, scaled, shortCount } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { postern, recordsOf } from '../support/subjects.ts';

/** The same number in both stores, so that they differ in size only, not in load. */
const REQUESTED_LINKS = 10_000;

export const growth: Scenario = {
  name: 'growth',
  about: 'redirects of 10,000 links in a store of 10 M links and 10 M records, against one of 10 k and 10 k',
  run: (effort) =>
    inScratch(async (scratch) => {
      async function start({ links, records }: Required<Omit<DataSetSize, 'due' | 'onOneLink'>>) {
        const set = await dataSet({ links, records });
        const server = await scratch.startService({ dataSet: set });
        const every = Math.max(1, Math.floor(set.paths.length / REQUESTED_LINKS));
        const paths = set.paths.filter((_, index) => index % every === 0).slice(0, REQUESTED_LINKS);
        const name = `${shortCount(links)} links, ${shortCount(records)} records`;
        return postern(server, { paths, status: 302 }, { name, count: recordsOf('SUCCESS') });
      }
      const large = scaled(10_000_000, effort);
      return compare({
        baseline: await start({ links: 10_000, records: 10_000 }),
        service: await start({ links: large, records: large }),
        unit: 'req/s',
        effort,
        goals: { ratio: 0.8 },
      });
    }),
};

export const redirectLarge: Scenario = {
  name: 'redirect-large',
  about: '100,000 links of a store of 10 M listed links, opened at random, against a store of these alone',
  run: (effort) =>
    inScratch(async (scratch) => {
      const small = await dataSet({ links: scaled(100_000, effort) });
      const links = scaled(10_000_000, effort);
      const large = await managedDataSet(links);
      const count = recordsOf('SUCCESS');
      const load = (set: DataSet) => ({ paths: set.paths, status: 302 });
      return compare({
        baseline: postern(await scratch.startService({ dataSet: small }), load(small), {
          name: `${shortCount(small.paths.length)} links`,
          count,
        }),
        service: postern(await scratch.startService({ dataSet: large }), load(large), {
          name: `${shortCount(links)} links`,
          count,
        }),
        unit: 'req/s',
        effort,
        goals: { p99Ms: 50 },
      });
    }),
};
