import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileStore } from '../../core/ports/file-store.ts';
import type { MoveSource, MoveTarget, ProgressReporter } from '../../core/ports/move.ts';
import { type Config, describeDatabase, describeStorage } from '../../service/config/config.ts';
import {
  composeFiles,
  composeVerification,
  openFileStore,
  withErrorPrefix,
} from '../../service/open-stores.ts';
import { openPostgresMoveSource, openPostgresMoveTarget } from '../../stores/postgres/open-move.ts';
import { openSqliteMoveSource, openSqliteMoveTarget } from '../../stores/sqlite/open-move.ts';
import type { FileStores } from '../move/copy-files.ts';
import type { MovePlan } from '../move/move.ts';
import type { LoadedMove } from './load-move.ts';

export type MoveSettings = Extract<LoadedMove, { ok: true }>;

/**
 * Opens the stores of a move, the source first, so that a wrong name creates no target.
 *
 * @param opened closes the stores
 * @throws when a store cannot be opened, source and target are the same, or the source is a half-moved store
 */
export async function composeMove(
  settings: MoveSettings,
  progress: ProgressReporter,
  opened: AsyncDisposableStack,
): Promise<MovePlan> {
  const { from, to, movesLinks, movesFiles, restart } = settings;
  if (movesLinks) assertDifferent('databases', databaseIdentity(from), databaseIdentity(to));
  if (movesFiles) assertDifferent('places of files', filesIdentity(from), filesIdentity(to));
  const source = opened.adopt(await openSource(from), (store) => store.close());
  const files = movesFiles ? await openFiles(from, to) : null;
  const target = movesLinks ? opened.adopt(await openTarget(to), (store) => store.close()) : null;
  return {
    description: `from ${databaseIdentity(from)}`,
    source,
    target,
    files,
    restart,
    recount: async () => (await composeVerification(to).recount()).differences,
    progress,
    clock: Date.now,
  };
}

export function openSource({ database }: Config): Promise<MoveSource> {
  const name = `source ${describeDatabase(database)}`;
  return withErrorPrefix(
    name,
    database.kind === 'sqlite'
      ? openSqliteMoveSource({ path: database.path, name })
      : openPostgresMoveSource({ ...database, name }),
  );
}

function openTarget({ database }: Config): Promise<MoveTarget> {
  const name = `target ${describeDatabase(database)}`;
  return withErrorPrefix(
    name,
    database.kind === 'sqlite'
      ? openSqliteMoveTarget({ path: database.path, name })
      : openPostgresMoveTarget({ ...database, name }),
  );
}

async function openFiles(from: Config, to: Config): Promise<FileStores> {
  const targetName = `target ${describeStorage(to.storage)}`;
  return {
    source: await withErrorPrefix(`source ${describeStorage(from.storage)}`, openSourceFiles(from)),
    target: await withErrorPrefix(targetName, openFileStore(to)),
    targetName,
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
