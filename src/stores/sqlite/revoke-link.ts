import type { DatabaseSync } from 'node:sqlite';
import { appendEntry, nextPlace, toRevocationEntry } from '../../links/chain.ts';
import { decideRevocation, type RevocationResult } from '../../links/decide-revocation.ts';
import type { LinkChange } from '../../links/link-change.ts';
import { isNotified, toChangeEvents } from '../../links/link-event.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareUpdateSearch } from './list-links.ts';
import { prepareRecordChange } from './record-change.ts';
import type { WriteBack } from './write-back.ts';
import { prepareHasNotifications, prepareWriteEvents } from './write-events.ts';

/** A revocation of a link, with a record of who did it. */
export type Revocation = { shortCode: string; change: LinkChange };

/** Prepares revoking links, each with a record of who did. A link that is revoked already does not change. */
export function prepareRevokeLinks(
  db: DatabaseSync,
  writeBack: WriteBack,
): (revocations: Revocation[]) => RevocationResult[] {
  const hasNotifications = prepareHasNotifications(db);
  const writeEvents = prepareWriteEvents(db);
  const updateStatus = db.prepare('UPDATE link SET status = ? WHERE short_code = ?');
  const recordChange = prepareRecordChange(db);
  const countLinks = prepareCountLinks(db);
  const updateSearch = prepareUpdateSearch(db);

  function revoke({ shortCode, change: revocation }: Revocation): RevocationResult {
    const link = writeBack.read(shortCode);
    const { result, change } = decideRevocation(link?.state.status);
    if (link && change) {
      updateStatus.run(change.to, shortCode);
      const entry = toRevocationEntry(shortCode, revocation);
      const head = appendEntry(link.head, entry);
      recordChange(entry, nextPlace(link.head));
      writeBack.writeLink(shortCode, { ...link, head });
      updateSearch(shortCode);
      countLinks({ [change.from]: -1, [change.to]: 1 });
      if (isNotified(revocation.notifiedLinks, () => hasNotifications(shortCode)))
        writeEvents([toChangeEvents(entry, head)]);
    }
    return result;
  }

  return (revocations) => revocations.map(revoke);
}
