import type { Author } from './author.ts';
import type { RevocationResult } from './decide-revocation.ts';
import type { EpochMs } from './link.ts';
import type { NotifiedLinks } from './link-event.ts';
import type { LinkStore } from './ports.ts';

/** Revokes a link for good, and records its author. Revoking it again changes and records nothing. */
export type RevokeLink = (shortCode: string, author: Author) => Promise<RevocationResult>;

export function prepareRevokeLink(parts: {
  links: LinkStore;
  clock: () => EpochMs;
  newChangeId: (at: EpochMs) => string;
  /** The links of whose revocations others want to be notified. */
  notifiedLinks?: NotifiedLinks;
}): RevokeLink {
  const { links, clock, newChangeId, notifiedLinks } = parts;
  return (shortCode, author) => {
    const at = clock();
    return links.revoke(shortCode, {
      id: newChangeId(at),
      author,
      at,
      ...(notifiedLinks && { notifiedLinks }),
    });
  };
}
