import type { ChainHead } from '../links/history.ts';
import type { EpochMs } from '../links/link.ts';
import type { LinkEvents } from '../links/link-event.ts';

/** A link that was marked as expired, with the end of its chain. */
export type ExpiredLink = { shortCode: string; head: ChainHead };

/** Returns the events of links that were marked as expired `at` this time, for those that notify others. */
export function toExpiryEvents(
  expired: readonly ExpiredLink[],
  notifies: (shortCode: string) => boolean,
  at: EpochMs,
): LinkEvents[] {
  return expired
    .filter(({ shortCode }) => notifies(shortCode))
    .map(({ shortCode, head }) => {
      const event = { type: 'link.expired', at, entryCount: head.entryCount } as const;
      return { shortCode, head, events: [event] };
    });
}
