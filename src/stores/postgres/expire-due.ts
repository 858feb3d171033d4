import type { EpochMs } from '../../links/link.ts';
import type { Statement } from './batch.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { inIdempotentTransaction } from './transaction.ts';

/**
 * Rows that another transaction holds are passed over: an attempt on such a link looks at the time itself, another
 * run of this job marks it, or the next one does. So nothing waits here, and nobody waits for this in a circle.
 */
const EXPIRE: Statement = {
  name: 'expire-due-links',
  text: `WITH due AS (
           SELECT short_code FROM link
           WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < $1
           ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         UPDATE link SET status = 'EXPIRED' FROM due WHERE link.short_code = due.short_code
         RETURNING link.short_code`,
};

const FORGET_MARKS: Statement = {
  name: 'forget-marks',
  text: `DELETE FROM commit_mark WHERE committed_at < now() - INTERVAL '1 hour'`,
};

/** Marks active links whose time is over as expired, those that are over longest first. */
export function prepareExpireDue(
  connections: Connections,
  nextSlot: () => number,
): (now: EpochMs, limit: number) => Promise<number> {
  return (now, limit) =>
    inIdempotentTransaction(connections, async (transaction) => {
      transaction.write(FORGET_MARKS);
      const expired = await transaction.read(EXPIRE, [now, limit]);
      if (expired.length > 0) {
        countLinks(transaction, nextSlot(), { ACTIVE: -expired.length, EXPIRED: expired.length });
      }
      return expired.length;
    });
}
