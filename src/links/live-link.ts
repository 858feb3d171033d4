import { statusAt } from './describe-link.ts';
import type { ChainHead } from './history.ts';
import type { EpochMs, Link, LinkStatus } from './link.ts';

/** What changes of a link. */
export type LiveLink = Omit<ChainHead, 'lastSeq'> & {
  status: LinkStatus;
  viewCount: number;
};

/** Returns what changes of a link. Its status is the one that the next attempt would find or cause. */
export function toLiveLink(link: Link, now: EpochMs): LiveLink {
  const { entryCount, fingerprint } = link.history;
  return { entryCount, fingerprint, status: statusAt(link, now), viewCount: link.viewCount };
}
