import type { DatabaseSync } from 'node:sqlite';
import type { ChainHead } from '../../links/history.ts';

/** Prepares writing the end of a link's chain, within the caller's transaction. */
export function prepareUpdateHead(db: DatabaseSync): (shortCode: string, head: ChainHead) => void {
  const update = db.prepare('UPDATE link SET entry_count = ?, fingerprint = unhex(?) WHERE short_code = ?');
  return (shortCode, { entryCount, fingerprint }) => void update.run(entryCount, fingerprint, shortCode);
}
