import { existsSync } from 'node:fs';
import type { KnownFiles } from '../../links/compare-files.ts';
import { readKnownFiles } from '../sql/linked-files.ts';
import { type Dialect, type Query, SQLITE } from '../sql/query.ts';
import { type Recount, recountStore } from '../sql/recount.ts';
import { openForReading } from './connection.ts';
import { schemaVersion } from './migrate.ts';
import { prepareQuery } from './query.ts';

/**
 * Recounts every rollup of a store, also while the service runs.
 *
 * @throws when there is no store at `path`
 */
export function recountSqliteStore(path: string): Promise<Recount> {
  return readStore(path, recountStore);
}

/** Returns the files that a store knows. @throws when there is no store at `path` */
export function knownFilesOfSqliteStore(path: string): Promise<KnownFiles> {
  return readStore(path, readKnownFiles);
}

/** Reads one moment of a store: what is committed meanwhile is not seen. */
async function readStore<T>(path: string, read: (query: Query, dialect: Dialect) => Promise<T>): Promise<T> {
  if (!existsSync(path)) throw new Error(`There is no store at ${path}`);
  const db = openForReading(path);
  try {
    if (schemaVersion(db) === 0) throw new Error(`${path} is not a store of Postern`);
    db.exec('BEGIN');
    return await read(prepareQuery(db), SQLITE);
  } finally {
    db.close();
  }
}
