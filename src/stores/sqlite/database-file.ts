import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../common/error-details.ts';
import { SQLITE_ERROR, sqliteCodeOf, withRemedy } from './errors.ts';

/** "PSTN". The schema writes it into the header of each store. */
export const APPLICATION_ID = 0x5053544e;

const BUSY_TIMEOUT_MS = 5_000;

/** The content at the path of a database: nothing, a file without tables, or a store of this program. */
type Content = 'nothing' | 'no-tables' | 'store';

/**
 * Returns whether there is a store at the path of a database, and changes nothing. SQLite deletes the write-ahead log
 * of a database that is missing or empty when it opens it, so this comes first.
 *
 * @throws when the file belongs to another program or cannot be used, or when it has lost its data
 */
export function hasStore(path: string): boolean {
  const file = realPathOf(path);
  // Files that exist only if the database has data. They are looked for before it: a process that creates the database
  // at this moment makes them later.
  const findAll = (...suffixes: string[]) => suffixes.map((suffix) => file + suffix).filter(existsSync);
  const [logs, locks, journals] = [findAll('-wal', '-shm'), findAll('-lock'), findAll('-journal')];
  const content = readContent(file);
  if (content === 'store') return true;
  // A first start that was killed leaves an empty file with its journal.
  const logsOfNothing = existsSync(file) ? logs : [...logs, ...journals];
  // A lock stays after each service, and has no commits. Beside a file without tables, it shows that there were some.
  const remains = content === 'nothing' ? logsOfNothing : locks;
  if (remains.length === 0) return false;
  throw new Error(
    content === 'nothing'
      ? `the database is missing or empty, but ${remains.join(', ')} ${remains.length === 1 ? 'is' : 'are'} still there: ` +
          'put the database back, or restore its backup; to create a new one, move these files away, and uploaded files if there are any'
      : `the database has no tables, because its log ${file}-wal is missing or cut: put the log back, or restore a ` +
          `backup; to create a new one, move ${[file, ...logs, ...locks].join(', ')} away, and uploaded files if there are any`,
  );
}

/** Returns the path without symbolic links, because SQLite puts the write-ahead log next to the file itself. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return realPathOfEntry(path);
    throw new Error(
      `it is a symbolic link to a file that does not exist (${messageOf(cause)}); mount or restore the file, or remove the link`,
      { cause },
    );
  }
}

/** Returns the path of a file or directory, which need not exist, without symbolic links. */
function realPathOfEntry(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(realPathOfEntry(parent), basename(absolute));
}

function readContent(file: string): Content {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'nothing';
  if (!stats.isFile()) throw new Error('it is not a file; name the file of the database');
  if (stats.size === 0) return 'nothing';
  assertAccess(file, constants.R_OK, 'read');
  const { applicationId, version, tables } = readIdentity(file);
  if (applicationId === APPLICATION_ID) return 'store';
  if (applicationId === 0 && version === 0 && tables.length === 0) return 'no-tables';
  throw new Error(
    `it is a database of another program (application_id ${applicationId}, ${describeTables(tables)}); ` +
      'name another file in app.database.url. It was not changed',
  );
}

/** @throws when this process may not use the file in this way */
export function assertAccess(file: string, mode: number, use: 'read' | 'write'): void {
  try {
    accessSync(file, mode);
  } catch (cause) {
    throw new Error(
      `the file cannot be ${use === 'read' ? 'read' : 'written'} (${messageOf(cause)}); let the user of the service read and write it`,
      { cause },
    );
  }
}

type Identity = { applicationId: number; version: number; tables: string[] };

/** Reads through SQLite, because the newest header may be in the write-ahead log. */
function readIdentity(file: string): Identity {
  // Without a log, SQLite is prevented from creating one next to a file that may belong to another program.
  const location = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) location.searchParams.set('immutable', '1');
  try {
    using db = new DatabaseSync(location, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const read = (sql: string) => db.prepare(sql).all();
    db.exec('BEGIN'); // all from one moment: another process may be creating the store
    return {
      applicationId: Number(read('PRAGMA application_id')[0]?.['application_id']),
      version: Number(read('PRAGMA user_version')[0]?.['user_version']),
      tables: read(`SELECT name FROM sqlite_schema WHERE type = 'table'`).map(({ name }) => String(name)),
    };
  } catch (cause) {
    if (sqliteCodeOf(cause) !== SQLITE_ERROR.NOTADB) throw withRemedy(cause);
    throw new Error(
      'it is not a database of SQLite, or its first page is damaged; name another file in app.database.url, or restore a backup. It was not changed',
      { cause },
    );
  }
}

function describeTables(tables: readonly string[]): string {
  return tables.length === 0 ? 'no tables' : `tables ${listNames(tables)}`;
}

const MAX_NAMES = 3;

/** Lists the first names, and how many more there are. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
