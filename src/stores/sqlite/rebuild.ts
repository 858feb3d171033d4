import type { DatabaseSync } from 'node:sqlite';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { SQLITE } from '../sql/query.ts';
import { PROJECTION_TABLES, rebuildList, rebuildTables } from '../sql/rebuild.ts';
import { DAMAGED } from './check-integrity.ts';
import { openAlone, openForReading } from './connection.ts';
import { openLinkLog } from './link-log.ts';
import { EMPTY_LIST, prepareListLinks } from './list-links.ts';
import { prepareCommit, prepareQuery, prepareRun } from './query.ts';
import { refuseOtherVersion } from './schema.ts';

/** @throws while the service or another program has the database open */
export function assertNotInUse(path: string): void {
  openAlone(path).close();
}

/**
 * Rebuilds all projections of a store: the rows of links, statistics, and the list of links. Entries are only read. Each
 * part is a transaction.
 *
 * @throws while the service or another program has the database open
 */
export async function rebuildSqliteStore(path: string, progress: ProgressReporter): Promise<void> {
  using db = openAlone(path);
  refuseOtherVersion(db);
  await rebuildProjections(db, progress);
}

/** Does the same on an open store that no other program writes. */
export async function rebuildProjections(db: DatabaseSync, progress: ProgressReporter): Promise<void> {
  const run = prepareRun(db);
  const commit = prepareCommit(db, prepareQuery(db, run));
  await commit((query) => {
    const log = openLinkLog(db, run);
    const known = log.begin();
    log.writeLinks(known, [...known.links.keys()]);
    const text = `UPDATE projector SET counted = ${known.lastSeq}, position = ${known.lastSeq}`;
    return rebuildTables({ query, dialect: SQLITE, last: text }, progress);
  });
  const listLinks = prepareListLinks(db);
  await commit((query) => rebuildList({ query, listLinks, empty: EMPTY_LIST }, progress));
}

const REBUILT_TABLES = [...PROJECTION_TABLES, 'listed_link', 'link_search'];

/** Reports of SQLite about a row or an index, with the name of its table or index. All others are damaged pages. */
const FINDINGS_OF_ROWS = [
  /^row not in PRIMARY KEY order for (\w+)$/,
  /^CHECK constraint failed in (\w+)$/,
  /^[\w-]+ value in (\w+)\.\w+$/,
  /^row \d+ missing from index (\w+)$/,
  /^wrong # of entries in index (\w+)$/,
  /^non-unique entry in index (\w+)$/,
  /^malformed inverted index for FTS5 table main\.(\w+)$/,
];

/**
 * Returns whether each finding of a check of the file is about rows that are rebuilt. Other damage cannot be repaired,
 * because the rows of a damaged page are unknown.
 */
export function isOnlyDerivedDamage(path: string, findings: readonly string[]): boolean {
  using db = openForReading(path);
  const selectTable = db.prepare('SELECT tbl_name FROM sqlite_schema WHERE name = ?');
  return findings.every((finding) => {
    const text = finding.replace(DAMAGED, '');
    const name = FINDINGS_OF_ROWS.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
    const table = name === undefined ? undefined : selectTable.get(name)?.['tbl_name'];
    return REBUILT_TABLES.includes(String(table));
  });
}
