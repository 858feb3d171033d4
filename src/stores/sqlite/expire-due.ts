import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';
import { prepareCountLinks } from './count-links.ts';
import type { WriteBack } from './write-back.ts';

/** Marks active links whose time is over as expired, those that are over longest first. */
export function prepareExpireDue(
  db: DatabaseSync,
  writeBack: WriteBack,
): (now: EpochMs, limit: number) => number {
  const expire = db.prepare(
    `UPDATE link SET status = 'EXPIRED' WHERE short_code IN (
       SELECT short_code FROM link
       WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < ?
       ORDER BY expires_at LIMIT ?)
     RETURNING short_code`,
  );
  const countLinks = prepareCountLinks(db);

  return (now, limit) => {
    const expired = expire.all(now, limit);
    for (const row of expired) writeBack.setStatus(String(row['short_code']), 'EXPIRED');
    if (expired.length > 0) countLinks({ ACTIVE: -expired.length, EXPIRED: expired.length });
    return expired.length;
  };
}
