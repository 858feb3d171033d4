import type { DatabaseSync } from 'node:sqlite';
import { decideRevocation, type RevocationResult } from '../../links/decide-revocation.ts';
import type { LinkStatus } from '../../links/link.ts';
import type { LinkChange } from '../../links/link-change.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareRecordChange } from './record-change.ts';

/** Prepares revoking one link, with a record of who did. A link that is revoked already does not change. */
export function prepareRevokeLink(
  db: DatabaseSync,
): (shortCode: string, revocation: LinkChange) => RevocationResult {
  const selectStatus = db.prepare('SELECT status FROM link WHERE short_code = ?');
  const updateStatus = db.prepare('UPDATE link SET status = ? WHERE short_code = ?');
  const recordChange = prepareRecordChange(db);
  const countLinks = prepareCountLinks(db);

  return (shortCode, revocation) => {
    const row = selectStatus.get(shortCode) as { status: LinkStatus } | undefined;
    const { result, change } = decideRevocation(row?.status);
    if (change) {
      updateStatus.run(change.to, shortCode);
      recordChange('REVOKED', shortCode, revocation);
      countLinks({ [change.from]: -1, [change.to]: 1 });
    }
    return result;
  };
}
