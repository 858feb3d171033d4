import type { DatabaseSync } from 'node:sqlite';
import { prepareReadUnwritten } from './read-unwritten.ts';

/**
 * Lets a connection that only reads see links with all of their attempts: the rows of some lack the newest ones, see
 * write-back.ts. A temporary view takes the place of the table. It is right for the moment of the call.
 */
export function showCurrentLinks(db: DatabaseSync): void {
  const links = prepareReadUnwritten(db).all();
  if (links.size === 0) return;
  db.exec(
    `CREATE TEMP TABLE current_link (short_code TEXT PRIMARY KEY, view_count INTEGER, last_opened_at INTEGER,
       entry_count INTEGER, fingerprint BLOB, last_id BLOB) WITHOUT ROWID`,
  );
  const insert = db.prepare("INSERT INTO current_link VALUES (?, ?, ?, ?, unhex(?), unhex(?, '-'))");
  for (const [shortCode, { state, head }] of links) {
    const { entryCount, fingerprint, lastId } = head;
    insert.run(shortCode, state.viewCount, state.lastOpenedAt, entryCount, fingerprint, lastId);
  }
  const columns = db.prepare(`SELECT name FROM pragma_table_info('link')`).all().map(selectColumn);
  db.exec(
    `CREATE TEMP VIEW link AS SELECT ${columns} FROM main.link LEFT JOIN current_link
       ON current_link.short_code = main.link.short_code`,
  );
}

const CURRENT_COLUMNS = ['view_count', 'last_opened_at', 'entry_count', 'fingerprint', 'last_id'];

function selectColumn({ name }: Record<string, unknown>): string {
  const isCurrent = CURRENT_COLUMNS.includes(String(name));
  return isCurrent
    ? `coalesce(current_link.${name}, main.link.${name}) AS ${name}`
    : `main.link.${name} AS ${name}`;
}
