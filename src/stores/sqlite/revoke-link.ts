import type { DatabaseSync } from 'node:sqlite';
import type { LinkStatus } from '../../links/link.ts';
import { inTransaction } from './connection.ts';
import { prepareCountLinks } from './count-links.ts';

/** Revokes one link; a revoked link stays as it is. */
export function prepareRevokeLink(
  db: DatabaseSync,
): (shortCode: string) => 'revoked' | 'already-revoked' | 'not-found' {
  const selectStatus = db.prepare('SELECT status FROM link WHERE short_code = ?');
  const revoke = db.prepare(`UPDATE link SET status = 'REVOKED' WHERE short_code = ?`);
  const countLinks = prepareCountLinks(db);

  return (shortCode) =>
    inTransaction(db, () => {
      const row = selectStatus.get(shortCode) as { status: LinkStatus } | undefined;
      if (!row) return 'not-found';
      if (row.status === 'REVOKED') return 'already-revoked';
      revoke.run(shortCode);
      countLinks({ [row.status]: -1, REVOKED: 1 });
      return 'revoked';
    });
}
