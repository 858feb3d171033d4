import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';
import { prepareCountLinks } from './count-links.ts';

/** Marks active links whose time is over as expired, those that are over longest first. */
export function prepareExpireDue(db: DatabaseSync): (now: EpochMs, limit: number) => number {
  const expire = db.prepare(
    `UPDATE link SET status = 'EXPIRED' WHERE short_code IN (
       SELECT short_code FROM link
       WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < ?
       ORDER BY expires_at LIMIT ?)`,
  );
  const countLinks = prepareCountLinks(db);

  return (now, limit) => {
    const expired = Number(expire.run(now, limit).changes);
    if (expired > 0) countLinks({ ACTIVE: -expired, EXPIRED: expired });
    return expired;
  };
}
