import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PROJECTION_TABLES } from '../../src/stores/sql/rebuild.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { fillStore } from '../support/data-set.ts';
import { single } from '../support/figures.ts';
import { openStoreOn } from '../support/postgres.ts';
import { type Effort, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';

/** Bytes by table or index, and numbers of rows. */
type Sizes = { parts: { name: string; bytes: number }[]; links: number; records: number };

export const sizes: Scenario = {
  name: 'sizes',
  about: 'bytes of a record and of a link in the database, on both stores',
  run: (effort) =>
    inScratch(async (scratch) => {
      const path = join(scratch.directory(), 'postern.db');
      const embedded = await openSqliteStore({ path });
      await fillStore(embedded, sizeOf(effort));
      await embedded.close();
      const server = await scratch.startPostgres();
      const shared = await openStoreOn(server);
      await fillStore(shared, sizeOf(effort));
      await shared.close();
      await server.query('VACUUM FULL'); // without the space of earlier versions of rows
      return [
        ...toRows('SQLite', sizesOfSqlite(path)),
        ...toRows('PostgreSQL', await sizesOfPostgres(server)),
      ];
    }),
};

const sizeOf = (effort: Effort) => ({ links: scaled(50_000, effort), records: scaled(500_000, effort) });

const COUNTS = 'SELECT (SELECT count(*) FROM link) AS links, (SELECT count(*) FROM entry) AS records';

function sizesOfSqlite(path: string): Sizes {
  using db = new DatabaseSync(path, { readOnly: true });
  const parts = db
    .prepare(
      `SELECT sqlite_schema.tbl_name AS name, sum(pgsize) AS bytes FROM dbstat
       JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY 1`,
    )
    .all();
  const counts = db.prepare(COUNTS).get();
  return {
    parts: parts.map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) })),
    links: Number(counts?.['links']),
    records: Number(counts?.['records']),
  };
}

async function sizesOfPostgres(server: {
  query: <Found extends Record<string, unknown>>(sql: string) => Promise<Found[]>;
}): Promise<Sizes> {
  const parts = await server.query<{ name: string; bytes: string }>(
    `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const [counts] = await server.query<{ links: string; records: string }>(COUNTS);
  return {
    parts: parts.map(({ name, bytes }) => ({ name, bytes: Number(bytes) })),
    links: Number(counts?.links),
    records: Number(counts?.records),
  };
}

function toRows(engine: string, { parts, links, records }: Sizes): Row[] {
  const bytesOf = (isIncluded: (name: string) => boolean) =>
    parts.filter(({ name }) => isIncluded(name)).reduce((sum, { bytes }) => sum + bytes, 0);
  const row = (what: string, bytes: number): Row => ({
    what: `${engine}, ${what}`,
    figures: single(bytes),
    unit: 'B',
  });
  const isEntry = (name: string) => /^entry(_\d+)?$/.test(name);
  const isProjection = (name: string) => PROJECTION_TABLES.includes(name);
  const isList = (name: string) => name === 'listed_link' || name.startsWith('link_search');
  return [
    row('a record in the log, with its index', bytesOf(isEntry) / records),
    row('projections for a record', bytesOf(isProjection) / records),
    row('a link and its target, with indexes', bytesOf((name) => /^link(_target)?$/.test(name)) / links),
    row('the list and search for a link', bytesOf(isList) / links),
  ];
}
