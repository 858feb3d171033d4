import { isNotified } from '../../links/link-event.ts';
import type { LinkStore } from '../../links/ports.ts';
import { toExpiryEvents } from '../expiry-events.ts';
import { type ChainRow, chainColumns, toChainHead } from '../link-rows.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { updateSearch } from './list-links.ts';
import { inIdempotentTransaction } from './transaction.ts';
import { selectNotified, writeEvents } from './write-events.ts';

/**
 * Skips rows that another transaction has locked: an attempt on such a link compares the time itself, and another
 * run of this job marks it. So nothing waits here, and there is no deadlock.
 */
const EXPIRE: Statement = {
  name: 'expire-due-links',
  text: `WITH due AS (
           SELECT short_code FROM link
           WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < $1
           ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         UPDATE link SET status = 'EXPIRED' FROM due WHERE link.short_code = due.short_code
         RETURNING link.short_code, ${chainColumns(POSTGRES)}`,
};

const DELETE_OLD_TOKENS: Statement = {
  name: 'delete-old-commit-tokens',
  text: `DELETE FROM commit_token WHERE committed_at < now() - INTERVAL '1 hour'`,
};

/** Marks active links whose time is over as expired, those that are over longest first. */
export function prepareExpireDue(connections: Connections, nextSlot: () => number): LinkStore['expireDue'] {
  return (now, limit, notifiedLinks = 'NONE') =>
    inIdempotentTransaction(connections, async (transaction) => {
      transaction.write(DELETE_OLD_TOKENS);
      const rows = await transaction.read<ChainRow & { short_code: string }>(EXPIRE, [now, limit]);
      const expired = rows.map((row) => ({ shortCode: row.short_code, head: toChainHead(row) }));
      if (expired.length > 0) {
        countLinks(transaction, nextSlot(), { ACTIVE: -expired.length, EXPIRED: expired.length });
        const shortCodes = expired.map(({ shortCode }) => shortCode);
        await updateSearch(transaction, shortCodes);
        const own =
          notifiedLinks === 'SUBSCRIBED' ? await selectNotified(transaction, shortCodes) : new Set<string>();
        const notifies = (shortCode: string) => isNotified(notifiedLinks, () => own.has(shortCode));
        writeEvents(transaction, toExpiryEvents(expired, notifies, now));
      }
      return expired.length;
    });
}
