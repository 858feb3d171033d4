import type { DatabaseSync } from 'node:sqlite';
import { appendEntry, toRevocationEntry } from '../../links/chain.ts';
import { decideRevocation, type RevocationResult } from '../../links/decide-revocation.ts';
import type { LinkStatus } from '../../links/link.ts';
import type { LinkChange } from '../../links/link-change.ts';
import { toChangeEvents } from '../../links/link-event.ts';
import { type ChainRow, toChainHead } from '../link-rows.ts';
import { SQLITE } from '../sql/query.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareRecordChange } from './record-change.ts';
import { prepareUpdateHead } from './update-head.ts';
import { prepareHasNotifications, prepareWriteEvents } from './write-events.ts';

/** Prepares revoking one link, with a record of who did. A link that is revoked already does not change. */
export function prepareRevokeLink(
  db: DatabaseSync,
): (shortCode: string, revocation: LinkChange) => RevocationResult {
  const selectLink = db.prepare(
    `SELECT status, entry_count, ${SQLITE.bytesToHex('fingerprint')} AS fingerprint FROM link WHERE short_code = ?`,
  );
  const hasNotifications = prepareHasNotifications(db);
  const writeEvents = prepareWriteEvents(db);
  const updateStatus = db.prepare('UPDATE link SET status = ? WHERE short_code = ?');
  const recordChange = prepareRecordChange(db);
  const updateHead = prepareUpdateHead(db);
  const countLinks = prepareCountLinks(db);

  return (shortCode, revocation) => {
    const row = selectLink.get(shortCode) as (ChainRow & { status: LinkStatus }) | undefined;
    const { result, change } = decideRevocation(row?.status);
    if (row && change) {
      updateStatus.run(change.to, shortCode);
      const entry = toRevocationEntry(shortCode, revocation);
      const head = appendEntry(toChainHead(row), entry);
      recordChange(entry, head.entryCount);
      updateHead(shortCode, head);
      countLinks({ [change.from]: -1, [change.to]: 1 });
      if (revocation.notifies || hasNotifications(shortCode)) writeEvents([toChangeEvents(entry, head)]);
    }
    return result;
  };
}
