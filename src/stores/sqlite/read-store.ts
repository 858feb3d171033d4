import { existsSync } from 'node:fs';
import { type Dialect, type Query, SQLITE } from '../sql/query.ts';
import { openForReading } from './connection.ts';
import { schemaVersion } from './migrate.ts';
import { prepareQuery } from './query.ts';

/**
 * Reads one moment of a store, also while the service runs: what is committed meanwhile is not seen.
 *
 * @throws when there is no store at `path`
 */
export async function readSqliteStore<T>(
  path: string,
  read: (query: Query, dialect: Dialect) => Promise<T>,
): Promise<T> {
  if (!existsSync(path)) throw new Error(`There is no store at ${path}`);
  using db = openForReading(path);
  if (schemaVersion(db) === 0) throw new Error(`${path} is not a store of Postern`);
  db.exec('BEGIN');
  return await read(prepareQuery(db), SQLITE);
}
