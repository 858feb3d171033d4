import { compare } from '../support/compare.ts';
import { fillStore } from '../support/data-set.ts';
import { figuresOf } from '../support/figures.ts';
import { runLoad } from '../support/load.ts';
import { openStoreOn, type PostgresServer } from '../support/postgres.ts';
import type { Server } from '../support/processes.ts';
import { type Effort, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch, type Scratch } from '../support/scratch.ts';
import { bareNode, instances, postern, recordsOf } from '../support/subjects.ts';

const count = recordsOf('SUCCESS');
const SPREAD = { links: 100_000 };

export const postgresSpread: Scenario = {
  name: 'postgres-spread',
  about: '100,000 links on PostgreSQL, opened at random, against bare node:http with a constant 302',
  run: (effort) =>
    onPostgres(effort, SPREAD, async (setup) => {
      const { scratch, database, load } = setup;
      const service = await startWarm(setup, effort);
      const subject = postern(service, load, { count });
      const perRequest: number[] = [];
      const rows = await compare({
        service: {
          ...subject,
          async measure(seconds) {
            const before = database.processorMs();
            const measured = await subject.measure(seconds);
            perRequest.push(((database.processorMs() - before) * 1000) / (measured.rate * seconds));
            return measured;
          },
        },
        baseline: bareNode(await scratch.startBaseline('redirect'), load),
        unit: 'req/s',
        effort,
        goals: { ratio: 0.3 },
      });
      return [
        ...rows,
        { what: 'processor per request, database', figures: figuresOf(perRequest.slice(1)), unit: 'µs' },
      ];
    }),
};

export const postgresCommitted: Scenario = {
  name: 'postgres-committed',
  about:
    'the same, against bare node:http that responds once records of 150 bytes are committed in PostgreSQL',
  run: (effort) =>
    onPostgres(effort, SPREAD, async (setup) => {
      const { scratch, database, load } = setup;
      await database.query('CREATE TABLE bare_record (record text)');
      const service = await startWarm(setup, effort);
      return compare({
        service: postern(service, load, { count }),
        baseline: bareNode(await scratch.startBaseline('committed', database.url), load),
        unit: 'req/s',
        effort,
      });
    }),
};

export const postgresGroups: Scenario = {
  name: 'postgres-groups',
  about:
    '5,000 links on PostgreSQL, opened at random, against the service that commits each attempt by itself',
  run: (effort) =>
    // Few enough that the slow subject, too, has cached all of them before it is measured.
    onPostgres(effort, { links: 5_000 }, async (setup) => {
      const service = await startWarm(setup, effort);
      const unbatched = await startWarm(setup, effort, 'bench/groups-of-one.ts');
      return compare({
        service: postern(service, setup.load, { count }),
        baseline: postern(unbatched, setup.load, { name: 'Postern with batches of one', count }),
        unit: 'req/s',
        effort,
        goals: { ratio: 8 },
      });
    }),
};

export const postgresInstances: Scenario = {
  name: 'postgres-instances',
  about: 'two instances together on one PostgreSQL, against one of them',
  run: (effort) =>
    onPostgres(effort, SPREAD, async (setup) => {
      const { load } = setup;
      const one = await startWarm(setup, effort);
      const other = await startWarm(setup, effort);
      return compare({
        service: instances([one, other], load, { name: 'two instances', count }),
        baseline: postern(one, load, { name: 'one instance', count }),
        unit: 'req/s',
        effort,
        goals: { ratio: 1 },
      });
    }),
};

type Setup = { scratch: Scratch; database: PostgresServer; load: { paths: string[]; status: number } };

/** The time for which each new instance is warmed up: it reads each link once and caches it. */
const WARM_UP_SECONDS = 20;

async function startWarm(
  { scratch, database, load }: Setup,
  effort: Effort,
  program?: string,
): Promise<Server> {
  const service = await scratch.startService({ databaseUrl: database.url, program });
  await runLoad(service, { ...load, connections: 256 }, Math.min(WARM_UP_SECONDS, 4 * effort.seconds));
  return service;
}

/** Measures on a server with this many links and a load that opens them at random. */
function onPostgres(
  effort: Effort,
  { links }: { links: number },
  measure: (setup: Setup) => Promise<Row[]>,
): Promise<Row[]> {
  return inScratch(async (scratch) => {
    const database = await scratch.startPostgres();
    const store = await openStoreOn(database);
    const paths = await fillStore(store, { links: scaled(links, effort) });
    await store.close();
    return measure({ scratch, database, load: { paths, status: 302 } });
  });
}
