import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';
import { type ExpiredRow, toExpiryEvents } from '../expiry-events.ts';
import { SQLITE } from '../sql/query.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareHasNotifications, prepareWriteEvents } from './write-events.ts';

/** Marks active links whose time is over as expired, those that are over longest first. */
export function prepareExpireDue(
  db: DatabaseSync,
): (now: EpochMs, limit: number, notifies?: boolean) => number {
  const expire = db.prepare(
    `UPDATE link SET status = 'EXPIRED' WHERE short_code IN (
       SELECT short_code FROM link
       WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < ?
       ORDER BY expires_at LIMIT ?)
     RETURNING short_code, entry_count, ${SQLITE.bytesToHex('fingerprint')} AS fingerprint`,
  );
  const countLinks = prepareCountLinks(db);
  const hasNotifications = prepareHasNotifications(db);
  const writeEvents = prepareWriteEvents(db);

  return (now, limit, notifies = false) => {
    const expired = expire.all(now, limit) as ExpiredRow[];
    if (expired.length === 0) return 0;
    countLinks({ ACTIVE: -expired.length, EXPIRED: expired.length });
    writeEvents(toExpiryEvents(expired, (shortCode) => notifies || hasNotifications(shortCode), now));
    return expired.length;
  };
}
