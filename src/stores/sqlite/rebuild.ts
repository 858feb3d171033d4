import type { DatabaseSync } from 'node:sqlite';
import type { ProgressReporter } from '../../move/ports.ts';
import { fillList } from '../sql/fill-list.ts';
import { SQLITE } from '../sql/query.ts';
import { PROJECTION_TABLES, rebuildStatements } from '../sql/rebuild.ts';
import { DAMAGED } from './check-integrity.ts';
import { beginTransaction, inTransaction, openAlone, openForReading } from './connection.ts';
import { openLinkLog } from './link-log.ts';
import { prepareListLinks, RESET_LIST } from './list-links.ts';
import { prepareQuery, prepareRun } from './query.ts';
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
  inTransaction(db, () => writeProjections(db, progress));
  await rebuildList(db, progress);
}

function writeProjections(db: DatabaseSync, progress: ProgressReporter): void {
  const log = openLinkLog(db, prepareRun(db));
  const known = log.begin();
  log.writeLinks(known, [...known.links.keys()]);
  const statements = rebuildStatements(SQLITE);
  const step = progress.begin({ label: 'Statistics', unit: 'rows', total: statements.length });
  for (const [index, { text }] of statements.entries()) {
    db.exec(text);
    step.update(index + 1);
  }
  db.prepare('UPDATE projector SET counted = ?, position = ?').run(known.lastSeq, known.lastSeq);
  step.end();
}

/** Fills the list of links and its search anew. */
async function rebuildList(db: DatabaseSync, progress: ProgressReporter): Promise<void> {
  const total = count(db, 'SELECT count(*) FROM link');
  const step = progress.begin({ label: 'List of links', unit: 'rows', total });
  const query = prepareQuery(db);
  using transaction = beginTransaction(db);
  db.exec(RESET_LIST.join(';'));
  const listLinks = prepareListLinks(db);
  await fillList((work) => work(query, listLinks), step.update);
  transaction.commit();
  step.end();
}

function count(db: DatabaseSync, select: string): number {
  return Number(Object.values(db.prepare(select).get() ?? {})[0]);
}

const REBUILT_TABLES = [...PROJECTION_TABLES, 'listed_link', 'link_search'];

/** What SQLite reports of a row or an index, with the name of the table or the index. All else is damage of pages. */
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
 * Returns whether each finding of a check of the file is about rows that are rebuilt. Other damage cannot be mended,
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
