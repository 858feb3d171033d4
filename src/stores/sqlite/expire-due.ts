import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';
import { isNotified, type NotifiedLinks } from '../../links/link-event.ts';
import { toExpiryEvents } from '../expiry-events.ts';
import { type ChainRow, chainColumns, toChainHead } from '../link-rows.ts';
import { SQLITE } from '../sql/query.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareUpdateSearch } from './list-links.ts';
import type { WriteBack } from './write-back.ts';
import { prepareHasNotifications, prepareWriteEvents } from './write-events.ts';

/** Marks active links whose time is over as expired, those that are over longest first. */
export function prepareExpireDue(
  db: DatabaseSync,
  writeBack: WriteBack,
): (now: EpochMs, limit: number, notifiedLinks?: NotifiedLinks) => number {
  const expire = db.prepare(
    `UPDATE link SET status = 'EXPIRED' WHERE short_code IN (
       SELECT short_code FROM link
       WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < ?
       ORDER BY expires_at LIMIT ?)
     RETURNING short_code, ${chainColumns(SQLITE)}`,
  );
  const countLinks = prepareCountLinks(db);
  const updateSearch = prepareUpdateSearch(db);
  const hasNotifications = prepareHasNotifications(db);
  const writeEvents = prepareWriteEvents(db);

  return (now, limit, notifiedLinks) => {
    const rows = expire.all(now, limit) as (ChainRow & { short_code: string })[];
    if (rows.length === 0) return 0;
    const expired = rows.map((row) => ({
      shortCode: row.short_code,
      head: writeBack.setStatus(row.short_code, 'EXPIRED')?.head ?? toChainHead(row),
    }));
    for (const { shortCode } of expired) updateSearch(shortCode);
    countLinks({ ACTIVE: -expired.length, EXPIRED: expired.length });
    const notifies = (shortCode: string) => isNotified(notifiedLinks, () => hasNotifications(shortCode));
    writeEvents(toExpiryEvents(expired, notifies, now));
    return expired.length;
  };
}

/** Prepares finding out whether a link is due, so that a run with nothing to do begins no transaction on links. */
export function prepareHasDue(db: DatabaseSync): (now: EpochMs) => boolean {
  const select = db.prepare(
    `SELECT 1 FROM link WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < ? LIMIT 1`,
  );
  return (now) => select.get(now) !== undefined;
}
