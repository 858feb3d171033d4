import type { DatabaseSync } from 'node:sqlite';
import { noStoreAt } from '../../common/locations.ts';
import type { CurrentLink } from '../link-rows.ts';
import { toWrittenRow, WRITTEN_COLUMNS } from '../link-rows.ts';
import { NO_ROWS, SQLITE, type StoreMoment, type StoreRead } from '../sql/query.ts';
import { beginSearchCheck } from './check-search.ts';
import { openForReading } from './connection.ts';
import { hasStore } from './database-file.ts';
import { openLinkLog } from './link-log.ts';
import { prepareCheckingQuery, prepareInsertRows, prepareRun, prepareStream } from './query.ts';
import { refuseOtherVersion } from './schema.ts';

/**
 * Reads one moment of a store, also while the service runs: what is committed meanwhile is not seen.
 *
 * @throws when there is no store at `path`, or one of another version
 */
export async function readSqliteStore<T>(path: string, read: StoreRead<T>): Promise<T> {
  if (!hasStore(path)) throw new Error(noStoreAt({ kind: 'sqlite', path }));
  using db = openForReading(path);
  refuseOtherVersion(db);
  db.exec('BEGIN');
  return await read(readMoment(db));
}

/** Returns the moment of a transaction. */
export function readMoment(db: DatabaseSync): StoreMoment {
  const links = showCurrentLinks(db);
  return {
    query: prepareCheckingQuery(db),
    dialect: SQLITE,
    stream: prepareStream(db),
    beginSearchCheck: () => beginSearchCheck(db),
    pending: {
      views: new Map([...links].map(([shortCode, { state }]) => [shortCode, state.viewCount])),
      statuses: NO_ROWS, // transactions write them
    },
    detached: undefined,
  };
}

/**
 * Lets a connection that only reads see links with all of their entries: the rows of some lack the newest ones. A
 * temporary view takes the place of the table. It is right for the moment of the call; a row that is written later takes
 * its place.
 *
 * @returns these links
 */
export function showCurrentLinks(db: DatabaseSync): ReadonlyMap<string, CurrentLink> {
  const { links } = openLinkLog(db, prepareRun(db)).begin();
  if (links.size === 0) return links;
  const columns = Object.keys(WRITTEN_COLUMNS);
  db.exec(`CREATE TEMP TABLE current_link AS SELECT ${columns} FROM main.link WHERE false;
           CREATE UNIQUE INDEX current_link_code ON current_link (short_code)`);
  const rows = [...links].map(([shortCode, link]) => toWrittenRow(shortCode, link));
  prepareInsertRows(db, 'current_link', WRITTEN_COLUMNS)(rows);
  const all = db.prepare(`SELECT name FROM pragma_table_info('link')`).all();
  const shown = all.map(({ name }) =>
    columns.includes(String(name))
      ? `CASE WHEN current_link.short_code IS NULL OR main.link.entry_count > current_link.entry_count THEN main.link.${name} ELSE current_link.${name} END AS ${name}`
      : `main.link.${name} AS ${name}`,
  );
  db.exec(`CREATE TEMP VIEW link AS SELECT ${shown} FROM main.link
             LEFT JOIN current_link ON current_link.short_code = main.link.short_code`);
  return links;
}
