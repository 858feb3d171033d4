import { SQLITE, type StoreRead } from '../sql/query.ts';
import { openForReading } from './connection.ts';
import { showCurrentLinks } from './current-links.ts';
import { hasStore } from './database-file.ts';
import { prepareCheckingQuery, prepareStream } from './query.ts';
import { refuseOtherVersion } from './schema.ts';

/**
 * Reads one moment of a store, also while the service runs: what is committed meanwhile is not seen.
 *
 * @throws when there is no store at `path`, or one of another version
 */
export async function readSqliteStore<T>(path: string, read: StoreRead<T>): Promise<T> {
  if (!hasStore(path)) throw new Error(`there is no store at ${path}`);
  using db = openForReading(path);
  refuseOtherVersion(db);
  db.exec('BEGIN');
  showCurrentLinks(db);
  return await read(prepareCheckingQuery(db), SQLITE, prepareStream(db));
}
