import { readFileSync } from 'node:fs';
import pg from 'pg';
import { loadConfig } from '../../src/service/config/load-config.ts';
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { startOwnServer } from '../../test/support/own-postgres.ts';
import { processorMsOf } from './processes.ts';

/** A measured PostgreSQL server. */
export type PostgresServer = {
  /** The URL of its one database. */
  url: string;
  /** Returns the CPU time so far of all its processes, in milliseconds. */
  processorMs(): number;
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
};

/** The defaults of PostgreSQL instead of the settings of the tests: every commit is flushed to disk. */
const DEFAULTS = ['fsync=on', 'synchronous_commit=on', 'autovacuum=on', 'checkpoint_timeout=5min'];

export async function startPostgres(...settings: string[]): Promise<PostgresServer> {
  const server = await startOwnServer(...[...DEFAULTS, ...settings].flatMap((setting) => ['-c', setting]));
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  pool.on('error', () => {}); // when the server ends
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const main = parentOf(rows[0]?.pid ?? 0);
  return {
    url: server.url,
    processorMs: () =>
      processorMsOf(main, { withChildren: true }) +
      childrenOf(main).reduce((sum, pid) => sum + processorMsOf(pid), 0),
    query: async <Row extends pg.QueryResultRow>(sql: string) => (await pool.query<Row>(sql)).rows,
    async stop() {
      await pool.end();
      await server.stop();
    },
  };
}

/** Opens the store on a server as the service does. */
export function openStoreOn({ url }: { url: string }): Promise<Store> {
  const loaded = loadConfig({
    argv: [`--app.database.url=${url}`],
    env: {},
    readFile: () => Buffer.alloc(0),
  });
  if (!loaded.ok || loaded.config.database.kind !== 'postgres')
    throw new Error(`${url} is not a valid postgres:// URL`);
  return openPostgresStore(loaded.config.database);
}

function parentOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}
