import type { EpochMs } from '../links/link.ts';
import type { LinkEvents } from '../links/link-event.ts';
import { type ChainRow, toChainHead } from './link-rows.ts';

/** A link that was marked as expired. */
export type ExpiredRow = ChainRow & { short_code: string };

/** Returns the events of links that were marked as expired `at` this time, for those that notify others. */
export function toExpiryEvents(
  expired: readonly ExpiredRow[],
  notifies: (shortCode: string) => boolean,
  at: EpochMs,
): LinkEvents[] {
  return expired
    .filter((row) => notifies(row.short_code))
    .map((row) => {
      const head = toChainHead(row);
      const event = { type: 'link.expired', at, entryCount: head.entryCount } as const;
      return { shortCode: row.short_code, head, events: [event] };
    });
}
