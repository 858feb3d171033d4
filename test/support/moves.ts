import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Store } from '../../src/links/ports.ts';
import { type MovePlan, move } from '../../src/move/move.ts';
import type { MoveSource, MoveTarget, ProgressReporter } from '../../src/move/ports.ts';
import { openPostgresMoveSource, openPostgresMoveTarget } from '../../src/stores/postgres/open-move.ts';
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../src/stores/postgres/read-store.ts';
import { type Recount, recountStore } from '../../src/stores/sql/recount.ts';
import { openSqliteMoveSource, openSqliteMoveTarget } from '../../src/stores/sqlite/open-move.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { readSqliteStore } from '../../src/stores/sqlite/read-store.ts';
import { attemptOn, codeOf, downloadLink, fileIdOf, PASSES, redirectLink, START } from './attempts.ts';
import { postgresOptions } from './postgres-options.ts';
import { createSchema } from './postgres-server.ts';
import { temporaryDirectory } from './service.ts';
import { readDatabase } from './sqlite-harness.ts';

/** A database for a store, and everything that tests of a move do with it. */
export type StorePlace = {
  openStore(): Promise<Store>;
  source(): Promise<MoveSource>;
  target(): Promise<MoveTarget>;
  recount(): Promise<Recount>;
  /** Returns every row by table, but the marks of moves and commits. It does not use the code of the move. */
  dump(): Promise<Record<string, unknown[]>>;
  run(sql: string): Promise<void>;
};

export const SILENT: ProgressReporter = { begin: () => ({ update: () => {}, end: () => {} }) };

export function sqlitePlace(t: TestContext): StorePlace & { path: string } {
  const path = join(temporaryDirectory(t), 'postern.db');
  return {
    path,
    openStore: () => openSqliteStore({ path }),
    source: () => openSqliteMoveSource({ path, place: 'the source' }),
    target: () => openSqliteMoveTarget({ path, place: 'the target' }),
    recount: async () => readSqliteStore(path, recountStore),
    async dump() {
      const tables = readDatabase(path, (db) =>
        db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'move_mark'`).all(),
      );
      const rowsOf = (name: unknown) => readDatabase(path, (db) => db.prepare(`SELECT * FROM ${name}`).all());
      return Object.fromEntries(tables.map(({ name }) => [name, ordered(rowsOf(name))]));
    },
    async run(sql) {
      const { DatabaseSync } = await import('node:sqlite');
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
    },
  };
}

export async function postgresPlace(t: TestContext): Promise<StorePlace & { url: string }> {
  const schema = await createSchema();
  t.after(() => schema[Symbol.asyncDispose]());
  const options = postgresOptions(schema.url);
  const own = ['commit_mark', 'move_mark', 'schema_version', 'top_link_floor'];
  return {
    url: schema.url,
    openStore: () => openPostgresStore(options),
    source: () => openPostgresMoveSource({ ...options, place: 'the source' }),
    target: () => openPostgresMoveTarget({ ...options, place: 'the target' }),
    recount: () => readPostgresStore(options, recountStore),
    async dump() {
      const found = await schema.query<{ name: string; columns: string[] }>(
        `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
         FROM information_schema.columns WHERE table_schema = $1 GROUP BY 1`,
        [schema.name],
      );
      const dumped: Record<string, unknown[]> = {};
      for (const { name, columns } of found.filter((table) => !own.includes(table.name))) {
        const keys = columns.filter((column) => column !== 'slot' && column !== 'count');
        const sums = `SELECT ${[...keys, 'sum(count) AS count']} FROM ${name}
                      ${keys.length > 0 ? `GROUP BY ${keys}` : ''} HAVING sum(count) <> 0`;
        dumped[name] = ordered(await schema.query(columns.includes('slot') ? sums : `SELECT * FROM ${name}`));
      }
      return dumped;
    },
    async run(sql) {
      await schema.query(sql);
    },
  };
}

function ordered(rows: object[]): unknown[] {
  const texts = rows.map((row) =>
    JSON.stringify(row, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    ),
  );
  return texts.sort();
}

/** Texts that careless quoting or encoding would change. */
const STRANGE = [
  '',
  'NULL',
  '{}',
  '{"a",NULL}',
  'back\\slash and "quotes" and \'more\'',
  'tab\tline\r\nend\u001b',
  ' space ',
  'Grüße 日本 😀 \u202e \ufffd',
  '\\x00 $1 %s',
];
const FULL_LIMITS = 3;

/** Fills a store with links in every state and with each property, and attempts with strange texts. */
export async function stock(store: Store): Promise<void> {
  const codes = STRANGE.map((_, index) => codeOf(index));
  await Promise.all(
    codes.map((code, index) =>
      store.create(
        redirectLink(code, {
          url: `https://example.com/${STRANGE[index]}`,
          maxViews: index === 0 ? null : FULL_LIMITS + index,
          expiresAt: index % 3 === 0 ? START + 1_000 + index : null,
          passwordHash: index % 2 === 0 ? `$argon2id$v=19$${STRANGE[index]}` : null,
          createdAt: START - index,
        }),
      ),
    ),
  );
  for (const index of [20, 21, 22]) {
    await store.begin(fileIdOf(index), START + index);
    const fileName = `${STRANGE[index - 16]}.pdf`;
    if (index < 22) await store.create(downloadLink(codeOf(index), { fileId: fileIdOf(index), fileName }));
  }
  await store.abandon(fileIdOf(22));
  await store.begin(fileIdOf(23), START);
  const attempts = STRANGE.flatMap((text, index) =>
    [
      ...Array.from({ length: index + 2 }, (_, each) => ({
        at: START + each * 3_600_000,
        ipAddress: `192.0.2.${each}`,
      })),
      { userAgent: text, prechecks: { ...PASSES, password: 'WRONG' as const } },
      { userAgent: null, ipAddress: null, purpose: 'PREVIEW' as const },
    ].map((wanted) => attemptOn(codeOf(index), wanted)),
  );
  await Promise.all(attempts.map(store.attempt));
  await Promise.all(STRANGE.map((text) => store.attempt(attemptOn(text.slice(0, 20)))));
  await store.revoke(codeOf(1));
  await store.expireDue(START + 10_000, 100);
}

/** Fills the store of a place, and closes it. */
export async function stocked<Place extends StorePlace>(place: Place): Promise<Place> {
  const store = await place.openStore();
  await stock(store);
  await store.close();
  return place;
}

/** Opens both places for a move of the links. */
export async function planBetween(
  from: StorePlace,
  to: StorePlace,
  options: Partial<MovePlan> = {},
): Promise<MovePlan & { target: MoveTarget } & AsyncDisposable> {
  const [source, target] = [await from.source(), await to.target()];
  return {
    description: 'from the source',
    source,
    files: null,
    restart: false,
    recount: async () => (await to.recount()).differences,
    progress: SILENT,
    clock: () => START,
    ...options,
    target,
    async [Symbol.asyncDispose]() {
      await target.close();
      await source.close();
    },
  };
}

/** Moves the links of one place to another. */
export async function moveBetween(from: StorePlace, to: StorePlace, options: Partial<MovePlan> = {}) {
  await using plan = await planBetween(from, to, options);
  return await move(plan);
}
