import type { EpochMs, NotifiedLinks } from '../../core/model/link.ts';
import { isNotified, type LinkEvents } from '../../core/model/link-event.ts';
import type { LinkTransaction } from './link-transaction.ts';
import type { Statement } from './query.ts';
import { findNotified } from './write-events.ts';

/**
 * Selects links that are due, those first that have been longest. One that another session has locked is skipped: an
 * attempt on it compares the time itself, and the next run marks it.
 */
const selectDue = (
  forUpdate: string,
): Statement => `SELECT short_code FROM link WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < $1
         ORDER BY expires_at LIMIT $2 ${forUpdate && `${forUpdate} SKIP LOCKED`}`;

/** Marks active links whose time is over as expired. Returns how many. It is no entry of their histories. */
export async function expireDue(
  transaction: LinkTransaction,
  due: { now: EpochMs; limit: number; notifiedLinks?: NotifiedLinks | undefined },
): Promise<number> {
  const { now, limit, notifiedLinks = 'NONE' } = due;
  const { dialect, query } = transaction;
  const rows = await query<{ short_code: string }>(selectDue(dialect.forUpdate), [now, limit]);
  if (rows.length === 0) return 0;
  const shortCodes = rows.map((row) => row.short_code);
  const { links } = await transaction.lock(shortCodes);
  const notified = await findNotified(transaction, notifiedLinks === 'SUBSCRIBED' ? shortCodes : []);
  const events = [...links]
    .filter(([shortCode]) => isNotified(notifiedLinks, () => notified.has(shortCode)))
    .map(([shortCode, { head }]): LinkEvents => {
      return { shortCode, head, events: [{ type: 'link.expired', at: now, entryCount: head.entryCount }] };
    });
  const after = new Map(
    [...links].map(([shortCode, { state, head }]) => [
      shortCode,
      { state: { ...state, status: 'EXPIRED' as const }, head },
    ]),
  );
  const statuses = { ACTIVE: -after.size, EXPIRED: after.size };
  transaction.append({ entries: [], links: after, changed: after.keys(), statuses, events });
  await transaction.updateSearch(shortCodes);
  return after.size;
}
