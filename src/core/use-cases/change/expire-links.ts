import type { EpochMs, NotifiedLinks } from '../../model/link.ts';
import type { LinkStore } from '../../ports/ports.ts';

/** Small enough that attempts which wait for such a transaction hardly wait: see `expiry` in docs/performance.md. */
const LINKS_PER_TRANSACTION = 200;

/**
 * Marks every active link whose time is over as expired, and returns how many. Only the counts by status and the
 * notifications of expiries depend on it: an attempt compares the time itself.
 *
 * @param options.notifiedLinks the links of whose expiries others want to be notified
 * @param options.onProgress is called after each transaction
 */
export async function expireLinks(
  links: LinkStore,
  now: EpochMs,
  { notifiedLinks = 'NONE', onProgress }: { notifiedLinks?: NotifiedLinks; onProgress: () => void },
): Promise<number> {
  let expired = 0;
  for (;;) {
    const count = await links.expireDue(now, LINKS_PER_TRANSACTION, notifiedLinks);
    onProgress();
    expired += count;
    if (count < LINKS_PER_TRANSACTION) return expired;
  }
}
