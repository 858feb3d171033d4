import type { EpochMs } from './link.ts';
import type { LinkStore } from './ports.ts';

/** Small enough that attempts which wait for such a transaction wait a few milliseconds. */
const LINKS_PER_TRANSACTION = 200;

/**
 * Marks every active link whose time is over as expired, and returns how many. Only the counts by status
 * depend on it: an attempt compares the time itself.
 *
 * @param options.notifies whether a webhook of the service wants expiries
 * @param options.onProgress is called after each transaction
 */
export async function expireLinks(
  links: LinkStore,
  now: EpochMs,
  { notifies = false, onProgress }: { notifies?: boolean; onProgress: () => void },
): Promise<number> {
  let expired = 0;
  for (;;) {
    const count = await links.expireDue(now, LINKS_PER_TRANSACTION, notifies);
    onProgress();
    expired += count;
    if (count < LINKS_PER_TRANSACTION) return expired;
  }
}
