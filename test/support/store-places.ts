import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import { openPostgresMoveTarget } from '../../src/stores/postgres/open-move.ts';
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../src/stores/postgres/read-store.ts';
import type { MoveTarget } from '../../src/stores/sql/move-target.ts';
import type { StoreRead } from '../../src/stores/sql/query.ts';
import { PROJECTION_TABLES } from '../../src/stores/sql/rebuild.ts';
import { type Recount, recountStore } from '../../src/stores/sql/recount.ts';
import { openSqliteMoveTarget } from '../../src/stores/sqlite/open-move.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { readSqliteStore } from '../../src/stores/sqlite/read-store.ts';
import { schemaVersion } from '../../src/stores/sqlite/schema.ts';
import type { Store } from '../../src/stores/store.ts';
import type { Cleanup } from './cleanup.ts';
import { readAudit as readPostgresAudit } from './postgres-harness.ts';
import { postgresOptions } from './postgres-options.ts';
import { type Schema, temporarySchema } from './postgres-server.ts';
import { temporaryDirectory } from './service.ts';
import { readDatabase, readAudit as readSqliteAudit } from './sqlite-harness.ts';

/** The tables that a move does not copy: they follow from others, or belong to one store alone. */
const OWN_TABLES = [
  ...PROJECTION_TABLES,
  ...(
    'listed_link projector projection_queue log_partition detached_head run_state move_mark ' +
    'last_backup space_turn'
  ).split(' '),
  ...['commit_token', 'rate_limit', 'schema_version'],
];
const NAMES = OWN_TABLES.map((name) => `'${name}'`);
const SQLITE_COLUMNS = `
  SELECT tables.name AS "table", columns.name AS "column"
  FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND tables.name NOT LIKE 'link_search%' AND tables.name NOT IN (${NAMES})`;
const POSTGRES_COLUMNS = `
  SELECT table_name AS table, column_name AS column
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = $1 AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'entry\\_%'
    AND table_name NOT IN (${NAMES})
  ORDER BY table_name, ordinal_position`;

/** A database for a store. */
export type StorePlace = {
  /** The value of `app.database.url`. */
  databaseUrl: string;
  openStore(): Promise<Store>;
  /** Reads one moment of the store. */
  read<T>(read: StoreRead<T>): Promise<T>;
  target(): Promise<MoveTarget>;
  recount(): Promise<Recount>;
  readAudit(): Promise<AuditRecord[]>;
  schemaVersion(): Promise<number>;
  /** Returns every column of the tables that are moved. */
  columns(): Promise<{ table: string; column: string }[]>;
  /** Returns every row of the tables that are moved. It does not use the code of the move. */
  dump(): Promise<Record<string, unknown[]>>;
  run(sql: string): Promise<void>;
};

export function sqlitePlace(
  t: Cleanup,
  path = join(temporaryDirectory(t), 'postern.db'),
): StorePlace & { path: string } {
  return {
    path,
    databaseUrl: `sqlite:${path}`,
    openStore: async () => closedAfter(t, await openSqliteStore({ path })),
    read: (read) => readSqliteStore(path, read),
    target: () => openSqliteMoveTarget(path),
    recount: async () => readSqliteStore(path, recountStore),
    readAudit: async () => readSqliteAudit(path),
    schemaVersion: async () => readDatabase(path, schemaVersion),
    columns: async () =>
      readDatabase(path, (db) => db.prepare(SQLITE_COLUMNS).all()).map(({ table, column }) => ({
        table: String(table),
        column: String(column),
      })),
    async dump() {
      const columns = readDatabase(path, (db) => db.prepare(SQLITE_COLUMNS).all());
      const rowsOf = (name: string) => readDatabase(path, (db) => db.prepare(`SELECT * FROM ${name}`).all());
      const names = new Set(columns.map(({ table }) => String(table)));
      return Object.fromEntries([...names].map((name) => [name, ordered(rowsOf(name))]));
    },
    async run(sql) {
      const db = new DatabaseSync(path, { timeout: 5000 }); // a service may be writing
      db.exec(sql);
      db.close();
    },
  };
}

export async function postgresPlace(t: Cleanup): Promise<StorePlace & { url: string; schema: Schema }> {
  const schema = await temporarySchema(t);
  const options = postgresOptions(schema.url);
  return {
    url: schema.url,
    databaseUrl: schema.url,
    schema,
    openStore: async () => closedAfter(t, await openPostgresStore(options)),
    read: (read) => readPostgresStore(options, read),
    target: () => openPostgresMoveTarget(options),
    recount: () => readPostgresStore(options, recountStore),
    readAudit: () => readPostgresAudit(schema),
    schemaVersion: async () =>
      Number((await schema.query('SELECT version FROM schema_version'))[0]?.['version']),
    columns: () => schema.query(POSTGRES_COLUMNS, [schema.name]),
    async dump() {
      const columns = await schema.query<{ table: string }>(POSTGRES_COLUMNS, [schema.name]);
      const dumped: Record<string, unknown[]> = {};
      for (const name of new Set(columns.map(({ table }) => table)))
        dumped[name] = ordered(await schema.query(`SELECT * FROM ${name}`));
      return dumped;
    },
    async run(sql) {
      await schema.query(sql);
    },
  };
}

/** Both kinds of places. */
export const STORE_PLACES: [name: string, make: (t: Cleanup) => StorePlace | Promise<StorePlace>][] = [
  ['SQLite', sqlitePlace],
  ['PostgreSQL', postgresPlace],
];

/** Closes a store that a failed test left open: its threads would keep the process alive. */
function closedAfter(t: Cleanup, store: Store): Store {
  t.after(() => store.close().catch(() => {}));
  return store;
}

function ordered(rows: object[]): unknown[] {
  const texts = rows.map((row) =>
    JSON.stringify(row, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    ),
  );
  return texts.sort();
}
