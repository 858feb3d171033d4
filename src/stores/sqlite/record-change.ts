import type { DatabaseSync } from 'node:sqlite';
import type { ChangeEntry } from '../../links/history.ts';

/** Prepares recording a change of a link and who made it, within the caller's transaction. */
export function prepareRecordChange(db: DatabaseSync): (change: ChangeEntry, number: number) => void {
  const insert = db.prepare(
    `INSERT INTO link_change
       (id, short_code, kind, author_kind, author_name, ip_address, changed_at, number, details)
     VALUES (unhex(?, '-'), ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ kind, id, at, shortCode, author, details }, number) => {
    const columns = [author.kind, author.name, author.ipAddress, at, number, JSON.stringify(details)];
    insert.run(id, shortCode, kind, ...columns);
  };
}
