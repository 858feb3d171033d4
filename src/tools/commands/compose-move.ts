import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeDatabase, describeStorage } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import type { FileStore } from '../../core/ports/file-store.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { composeFiles, openFileStore, withErrorPrefix } from '../../service/open-stores.ts';
import { assertNoUnfinishedMove } from '../../stores/move-mark.ts';
import { openPostgresMoveTarget } from '../../stores/postgres/open-move.ts';
import { readPostgresStore } from '../../stores/postgres/read-store.ts';
import type { MoveTarget } from '../../stores/sql/move-target.ts';
import { lockMoveSource, openSqliteMoveTarget } from '../../stores/sqlite/open-move.ts';
import { readSqliteStore } from '../../stores/sqlite/read-store.ts';
import type { FilePlaces } from '../copy/copy-files.ts';
import type { MovedStore, MovePlan } from '../copy/move.ts';
import type { LoadedMove } from './load-move.ts';

export type MoveSettings = Extract<LoadedMove, { ok: true }>;

/**
 * Opens the stores of a move, the source first, so that a wrong name creates no target.
 *
 * @param opened closes the stores
 * @throws when a store cannot be opened, source and target are the same, the source is a half-moved store, or a service
 *   runs on one in SQLite
 */
export async function composeMove(
  settings: MoveSettings,
  progress: ProgressReporter,
  opened: AsyncDisposableStack,
): Promise<MovePlan> {
  const { from, to, movesLinks, movesFiles, restart } = settings;
  if (movesLinks) assertDifferent('databases', databaseIdentity(from), databaseIdentity(to));
  if (movesFiles) assertDifferent('places of files', filesIdentity(from), filesIdentity(to));
  const source = movedStore('source', from);
  await withErrorPrefix(
    source.name,
    source.read(({ query }) => assertNoUnfinishedMove(query)),
  );
  if (movesLinks) opened.defer(await withErrorPrefix(source.name, lockSource(from)));
  const files = movesFiles ? await openFiles(from, to) : null;
  const target = movedStore('target', to);
  const writes = movesLinks ? await withErrorPrefix(target.name, openTarget(to)) : null;
  if (writes) opened.defer(writes.close);
  return {
    description: `from ${databaseIdentity(from)}`,
    source,
    target: writes && { ...target, ...writes },
    ...{ files, restart, progress, clock: Date.now },
  };
}

function movedStore(side: 'source' | 'target', { database }: Config): MovedStore {
  return {
    name: `${side} ${describeDatabase(database)}`,
    read: (read) =>
      database.kind === 'sqlite' ? readSqliteStore(database.path, read) : readPostgresStore(database, read),
  };
}

/** Keeps services from an SQLite store. Returns a function that ends this. */
async function lockSource({ database }: Config): Promise<() => void> {
  return database.kind === 'sqlite' ? lockMoveSource(database.path).close : () => {};
}

const openTarget = async ({ database }: Config): Promise<MoveTarget> =>
  database.kind === 'sqlite' ? openSqliteMoveTarget(database.path) : openPostgresMoveTarget(database);

async function openFiles(from: Config, to: Config): Promise<FilePlaces> {
  const name = `target ${describeStorage(to.storage)}`;
  return {
    source: {
      name: 'the source',
      files: await withErrorPrefix(`source ${describeStorage(from.storage)}`, openSourceFiles(from)),
    },
    target: { name, files: await withErrorPrefix(name, openFileStore(to)) },
  };
}

async function openSourceFiles(config: Config): Promise<FileStore> {
  const { storage } = config;
  if (storage.kind === 'directory' && !existsSync(storage.path)) throw new Error('no such directory');
  return composeFiles(config);
}

function assertDifferent(what: string, from: string, to: string): void {
  if (from === to) throw new Error(`the two ${what} are the same, ${from}: name another target`);
}

/** Returns an absolute name of a database, without its password. */
function databaseIdentity({ database }: Config): string {
  if (database.kind === 'sqlite') return `sqlite:${absolutePath(database.path)}`;
  const { sessionOptions } = database;
  return describeDatabase(database) + (sessionOptions === null ? '' : ` (${sessionOptions})`);
}

function filesIdentity({ storage }: Config): string {
  return storage.kind === 'directory' ? absolutePath(storage.path) : describeStorage(storage);
}

function absolutePath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
