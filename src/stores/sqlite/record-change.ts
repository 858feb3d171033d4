import type { DatabaseSync } from 'node:sqlite';
import type { ChainPlace, ChangeEntry } from '../../links/history.ts';

/** Prepares recording a change of a link and who made it, within the caller's transaction. */
export function prepareRecordChange(db: DatabaseSync): (change: ChangeEntry, place: ChainPlace) => void {
  const insert = db.prepare(
    `INSERT INTO link_change
       (id, short_code, kind, author_kind, author_name, ip_address, changed_at, number, prev, details)
     VALUES (unhex(?, '-'), ?, ?, ?, ?, ?, ?, ?, unhex(?, '-'), ?)`,
  );
  return ({ kind, id, at, shortCode, author, details }, { number, prev }) => {
    const columns = [author.kind, author.name, author.ipAddress, at, number, prev, JSON.stringify(details)];
    insert.run(id, shortCode, kind, ...columns);
  };
}
