import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { composeFiles, composeVerification, openFileStore } from '../compose.ts';
import { type Config, describeBucket, describeDatabase } from '../config/config.ts';
import type { LoadedMove } from '../config/load-move.ts';
import type { FileStore } from '../links/ports.ts';
import type { MovePlan } from '../move/move.ts';
import type { MoveSource, MoveTarget } from '../move/ports.ts';
import { refuseUnfinishedMove } from '../move/ports.ts';
import type { ProgressReporter } from '../move/progress.ts';
import { openPostgresMoveSource, openPostgresMoveTarget } from '../stores/postgres/open-move.ts';
import { openSqliteMoveSource, openSqliteMoveTarget } from '../stores/sqlite/open-move.ts';

/** A move that is ready to run, in words for a person, and how to let go of its stores. */
export type ComposedMove = { plan: MovePlan; close(): Promise<void> };

/**
 * Opens what a move needs: the source first, so that a wrong name makes no target.
 *
 * @throws when a store cannot be opened, both are the same, or the source is itself half moved
 */
export async function composeMove(
  { from, to, movesLinks, movesFiles }: Extract<LoadedMove, { ok: true }>,
  watch: ProgressReporter,
): Promise<ComposedMove> {
  refuseSame(movesLinks, 'databases', identityOf(from.database), identityOf(to.database));
  refuseSame(movesFiles, 'places of files', filesIdentityOf(from), filesIdentityOf(to));
  const source = await opening(`source ${describeDatabase(from.database)}`, (place) =>
    openSource(from, place),
  );
  try {
    refuseUnfinishedMove(await source.readMark());
    const files = movesFiles
      ? {
          source: await opening(`source ${describeFiles(from)}`, () => openSourceFiles(from)),
          target: await opening(`target ${describeFiles(to)}`, () => openFileStore(to)),
          targetPlace: `target ${describeFiles(to)}`,
        }
      : null;
    const target = movesLinks
      ? await opening(`target ${describeDatabase(to.database)}`, (place) => openTarget(to, place))
      : null;
    const cameFrom = `from ${identityOf(from.database)}`;
    const withFiles = movesFiles
      ? `, with files from ${filesIdentityOf(from)} to ${filesIdentityOf(to)}`
      : '';
    return {
      plan: {
        move: cameFrom + withFiles,
        source,
        target,
        files,
        recount: async () => (await composeVerification(to).recount()).differences.map(inWords),
        watch,
        clock: Date.now,
      },
      async close() {
        await target?.close();
        await source.close();
      },
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

function inWords({ what, stored, recounted }: { what: string; stored: string; recounted: string }): string {
  return `${what}: stored ${stored}, recounted ${recounted}`;
}

function openSource({ database }: Config, place: string): Promise<MoveSource> {
  return database.kind === 'sqlite'
    ? openSqliteMoveSource({ path: database.path, place })
    : openPostgresMoveSource({ ...database, place });
}

function openTarget({ database }: Config, place: string): Promise<MoveTarget> {
  return database.kind === 'sqlite'
    ? openSqliteMoveTarget({ path: database.path, place })
    : openPostgresMoveTarget({ ...database, place });
}

async function openSourceFiles(config: Config): Promise<FileStore> {
  const { storage } = config;
  if (storage.kind === 'directory' && !existsSync(storage.path))
    throw new Error('there is no such directory');
  return composeFiles(config);
}

/** Says which side a fault of opening belongs to. */
async function opening<T>(place: string, open: (place: string) => Promise<T>): Promise<T> {
  try {
    return await open(place);
  } catch (cause) {
    throw new Error(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function refuseSame(isMoved: boolean, what: string, from: string, to: string): void {
  if (isMoved && from === to)
    throw new Error(`the two ${what} are the same, ${from}: name another one to move to`);
}

/** A database by what it is reached by, wherever the working directory is; it has no password. */
function identityOf(database: Config['database']): string {
  if (database.kind === 'sqlite') return `sqlite:${realPath(database.path)}`;
  const { sessionOptions } = database;
  return describeDatabase(database) + (sessionOptions === null ? '' : ` (${sessionOptions})`);
}

function filesIdentityOf(config: Config): string {
  const { storage } = config;
  if (storage.kind === 'directory') return realPath(storage.path);
  return describeFiles(config) + (storage.endpoint === null ? '' : ` (${storage.endpoint})`);
}

function describeFiles({ storage }: Config): string {
  return storage.kind === 'directory' ? storage.path : describeBucket(storage);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
