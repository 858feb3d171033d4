import type { EpochMs } from './link.ts';
import type { LinkStore } from './ports.ts';

/** Small enough that attempts which wait for the store meanwhile wait a few milliseconds. */
const EXPIRED_AT_ONCE = 200;

/**
 * Marks every active link whose time is over as expired, and tells how many. Only the status that the
 * statistics count depends on it: an attempt is refused by the time itself.
 *
 * @param onProgress is called each time a part of them is committed
 */
export async function expireLinks(links: LinkStore, now: EpochMs, onProgress: () => void): Promise<number> {
  let expired = 0;
  for (;;) {
    const count = await links.expireDue(now, EXPIRED_AT_ONCE);
    onProgress();
    expired += count;
    if (count < EXPIRED_AT_ONCE) return expired;
  }
}
