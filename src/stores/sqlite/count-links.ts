import type { DatabaseSync } from 'node:sqlite';
import type { LinkStatus } from '../../links/link.ts';

/** Prepares adding to the counts of links by status, within the caller's transaction. */
export function prepareCountLinks(db: DatabaseSync): (changes: Partial<Record<LinkStatus, number>>) => void {
  const add = db.prepare('UPDATE links_by_status SET count = count + ? WHERE status = ?');
  return (changes) => {
    for (const [status, change] of Object.entries(changes)) add.run(change, status);
  };
}
