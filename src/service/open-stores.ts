import { existsSync, statSync } from 'node:fs';
import { createFilesystemStore } from '../adapters/files/filesystem.ts';
import { openFileScanner } from '../adapters/files/scan-command.ts';
import { findWritableByAll, prepareStorageDirectory } from '../adapters/files/storage-directory.ts';
import { assertKeyPlace } from '../adapters/key-file.ts';
import { codeOf, messageOf } from '../common/error-details.ts';
import {
  type DatabaseLocation,
  describeDatabase,
  describeStorage,
  noStoreAt,
  type S3Location,
  type SqliteLocation,
} from '../common/locations.ts';
import { type Config, isDefaultStorage } from '../core/config/config.ts';
import type { FileScanner } from '../core/ports/file-scanner.ts';
import type { FileStore } from '../core/ports/file-store.ts';
import type { ProgressReporter } from '../core/ports/progress.ts';
import { assertNoUnfinishedMove } from '../stores/move-mark.ts';
import { isPostgresFull } from '../stores/postgres/errors.ts';
import { openPostgresStore } from '../stores/postgres/open-store.ts';
import { hasPostgresStore, readPostgresStore } from '../stores/postgres/read-store.ts';
import { rebuildPostgresStore } from '../stores/postgres/rebuild.ts';
import { readKnownFiles } from '../stores/sql/linked-files.ts';
import type { StoreRead } from '../stores/sql/query.ts';
import { recountParts, recountStore } from '../stores/sql/recount.ts';
import { checkIntegrity } from '../stores/sqlite/check-integrity.ts';
import { hasStore } from '../stores/sqlite/database-file.ts';
import { SQLITE_ERROR, sqliteCodeOf } from '../stores/sqlite/errors.ts';
import { openSqliteStore, type SqliteOptions } from '../stores/sqlite/open-store.ts';
import { readSqliteStore } from '../stores/sqlite/read-store.ts';
import { assertNotInUse, isOnlyDerivedDamage, rebuildSqliteStore } from '../stores/sqlite/rebuild.ts';
import { readOrCreateSecret } from '../stores/sqlite/secret-file.ts';
import { isFullAtStart } from '../stores/sqlite/watch-file.ts';
import type { Store } from '../stores/store.ts';

/** The stores, which stay when the service has ended, and the scanner of uploads, if there is one. */
export type Stores = { store: Store; files: FileStore; scanner?: FileScanner | undefined };

/** `onDatabaseCreated`: the database did not exist. */
export type StoreEvents = Pick<SqliteOptions, 'onThreadDeath'> & {
  onDatabaseCreated?: () => void;
};

/**
 * Opens the stores of a configuration. Creates what does not exist yet, except a bucket.
 *
 * @throws when there is no database, and it must exist or has left traces
 */
export async function openStores(config: Config, events: StoreEvents = {}): Promise<Stores> {
  const scanner = await openScanner(config);
  const isNew = await isToBeCreated(config);
  const files = await openFileStore(config);
  return { files, scanner, store: await openDatabase(config, isNew, events) };
}

/** Opens the scanner of uploaded files. @throws when its program is missing */
export async function openScanner({ uploads }: Config): Promise<FileScanner | undefined> {
  const { command, timeoutMs } = uploads.scan;
  if (command === null) return undefined;
  return withErrorPrefix('app.upload.scan', openFileScanner(command, timeoutMs));
}

/**
 * Opens the store of a configuration without its files.
 *
 * @throws as `openStores` does
 */
export async function openLinkStore(config: Config, events: StoreEvents = {}): Promise<Store> {
  return openDatabase(config, await isToBeCreated(config), events);
}

async function openDatabase(
  config: Config,
  isNew: boolean,
  { onThreadDeath, onDatabaseCreated }: StoreEvents,
): Promise<Store> {
  const store = await onDatabase(config, {
    sqlite: ({ path }) => openSqliteStore({ path, ...(onThreadDeath && { onThreadDeath }) }),
    postgres: (database) => openPostgresStore({ ...database, ...(onThreadDeath && { onThreadDeath }) }),
  });
  if (isNew) onDatabaseCreated?.();
  return store;
}

/** Returns the secret of the service where `app.secret` is not set. The database exists. */
export function findSecret({ database }: Config): string | null {
  return database.kind === 'sqlite' ? readOrCreateSecret(database.path) : null;
}

/** Opens the files of a configuration. Creates a directory, but no bucket; proves that either is writable. */
export async function openFileStore(config: Config): Promise<FileStore> {
  const { storage } = config;
  if (storage.kind === 'directory') {
    await withErrorPrefix(describeStorageSetting(config), prepareStorageDirectory(storage.path));
    return createFileStore(config);
  }
  const files = await createBucketStore(storage);
  await withErrorPrefix(describeStorageSetting(config), files.proveUsable());
  return files;
}

/** Returns the files of a configuration. Neither creates a directory nor reads anything. */
export async function createFileStore({ storage }: Config): Promise<FileStore> {
  return storage.kind === 's3'
    ? createBucketStore(storage)
    : createFilesystemStore({ directory: storage.path });
}

/** Returns whether stores could not be opened because the disk of the database is full. */
export function isDatabaseFull({ database }: Pick<Config, 'database'>, error: unknown): boolean {
  const isFull = database.kind === 'sqlite' ? isFullAtStart(error, database.path) : isPostgresFull(error);
  return isFull || (error instanceof Error && isDatabaseFull({ database }, error.cause));
}

/** Finds what the administrator should know about the place of the files. */
export async function findStorageWarnings({ storage }: Config): Promise<string[]> {
  if (storage.kind === 's3') return [];
  return (await findWritableByAll(storage.path)).map((warning) => `app.storage.path: ${warning}`);
}

/** Loads the AWS SDK only where it is used: it takes 0.4 s and 10 MB. */
async function createBucketStore(location: S3Location) {
  const { createS3Store } = await import('../adapters/files/s3.ts');
  return createS3Store(location);
}

/** Returns whether there is no database. Refuses to replace one that is lost or wrongly named by an empty one. */
async function isToBeCreated(config: Config): Promise<boolean> {
  if (await hasDatabase(config)) return false;
  if (config.databaseMustExist === 'FOR_COMMAND')
    throw new Error(`${describeDatabaseSetting(config)}: ${noStoreAt(config.database)}`);
  const missing = `${describeDatabaseSetting(config)}: there is no database`;
  const remedy = 'mount its disk, restore its backup or correct app.database.url; to create a new one,';
  if (config.databaseMustExist)
    throw new Error(
      `${missing}, and app.database.must-exist is true: ${remedy} start the service, once with --app.database.must-exist=false`,
    );
  // Asked again, because another instance may have created the database and these files meanwhile.
  const storage = describeStorageSetting(config);
  if (!(await withErrorPrefix(storage, hasFiles(config))) || (await hasDatabase(config))) return true;
  throw new Error(
    `${missing}, but ${storage} has uploaded files: ${remedy} move these files away, or name another place for files`,
  );
}

/** Returns whether there is a store, and changes nothing. */
export function hasDatabase(config: Config): Promise<boolean> {
  return onDatabase(config, { sqlite: ({ path }) => hasStore(path), postgres: hasPostgresStore });
}

/** Returns whether there are files that a missing database must have known. */
async function hasFiles(config: Config): Promise<boolean> {
  const { storage } = config;
  // The default directory is shared by every checkout on this machine, and belongs to none of them.
  if (isDefaultStorage(config) || (storage.kind === 'directory' && !isDirectory(storage.path))) return false;
  const files = await composeFiles(config);
  for await (const _ of files.list()) return true;
  return false;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the files of a configuration and writes nothing. Throws where there is no directory. */
export async function composeFiles(config: Config): Promise<FileStore> {
  const { storage } = config;
  if (storage.kind === 'directory' && !existsSync(storage.path))
    throw new Error(`app.storage.path ${storage.path}: there is no such directory`);
  return createFileStore(config);
}

/** Reads one moment of the store of a configuration, also while a service runs. */
export function readDatabase<T>(config: Config, read: StoreRead<T>): Promise<T> {
  return onDatabase(config, {
    sqlite: ({ path }) => readSqliteStore(path, read),
    postgres: (database) => readPostgresStore(database, read),
  });
}

/** A damaged page can make hundreds of findings. More than these are not looked for. */
const MAX_DAMAGE_FINDINGS = 1_000;

/** Returns the checks of a store that may be in use: they only read. */
export function composeVerification(config: Config) {
  const { database } = config;
  const readStore = <T>(read: StoreRead<T>) => readDatabase(config, read);
  return {
    /** Checks the file of SQLite. PostgreSQL checks its own pages, and has `pg_amcheck`. */
    checkIntegrity: () =>
      database.kind === 'sqlite' ? checkIntegrity(database.path, MAX_DAMAGE_FINDINGS) : [],
    assertNoUnfinishedMove: () => readStore(({ query }) => assertNoUnfinishedMove(query)),
    /** Returns whether findings of `checkIntegrity` are only about rows that can be rebuilt. */
    isOnlyDerivedDamage: (damage: readonly string[]) =>
      database.kind === 'sqlite' &&
      damage.length < MAX_DAMAGE_FINDINGS && // what else there is is unknown
      isOnlyDerivedDamage(database.path, damage),
    recount: () => readStore(recountStore),
    recountParts: () => readStore(recountParts),
    knownFiles: () => readStore(({ query }) => readKnownFiles(query)),
  };
}

/** Returns the rebuilding of all data of a store that follows from records and links. No service may run. */
export function composeRebuild(config: Config, progress: ProgressReporter) {
  return {
    /** PostgreSQL locks tables, so that instances wait. */
    assertNotInUse: () => onDatabase(config, { sqlite: ({ path }) => assertNotInUse(path), postgres() {} }),
    rebuild: () =>
      onDatabase(config, {
        sqlite: ({ path }) => rebuildSqliteStore(path, progress),
        postgres: (database) => rebuildPostgresStore(database, progress),
      }),
  };
}

/** Runs what differs by the engine of the database. Its errors begin with the setting of the database. */
function onDatabase<T>(
  config: Config,
  run: {
    sqlite: (location: SqliteLocation) => T | Promise<T>;
    postgres: (location: Exclude<DatabaseLocation, SqliteLocation>) => T | Promise<T>;
  },
): Promise<T> {
  const { database } = config;
  const running = async () => (database.kind === 'sqlite' ? run.sqlite(database) : run.postgres(database));
  const opened = running().catch((error: unknown) => {
    throw withAccessRemedy(error);
  });
  return withErrorPrefix(describeDatabaseSetting(config), opened);
}

/** Returns the error with the remedy, if the directory of the database may not be used. */
function withAccessRemedy(cause: unknown): unknown {
  const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(String(codeOf(cause)));
  if (!isRefused && sqliteCodeOf(cause) !== SQLITE_ERROR.CANTOPEN) return cause;
  const remedy = 'let the user of the service write to the directory of the database, or name another place';
  return new Error(`${messageOf(cause)}; ${remedy}`, { cause });
}

/** Proves that the key of the log can be written where it is not beside the database. */
export async function assertLogKeyPlace({ evidence: { keyFile } }: Config): Promise<void> {
  if (keyFile !== null) await withErrorPrefix(`app.evidence.key-file ${keyFile}`, assertKeyPlace(keyFile));
}

function describeDatabaseSetting({ database }: Config): string {
  return `app.database.url ${describeDatabase(database)}`;
}

function describeStorageSetting({ storage }: Config): string {
  return `${storage.kind === 'directory' ? 'app.storage.path' : 'app.storage.url'} ${describeStorage(storage)}`;
}

/** Puts the name of a setting before the message of an error, so that the reader knows what to change. */
export async function withErrorPrefix<T>(prefix: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (cause) {
    throw new Error(`${prefix}: ${messageOf(cause)}`, { cause });
  }
}
