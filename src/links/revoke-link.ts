import type { Author } from './author.ts';
import type { RevocationResult } from './decide-revocation.ts';
import type { EpochMs } from './link.ts';
import type { LinkStore } from './ports.ts';

/** Revokes a link for good, and records its author. Revoking it again changes and records nothing. */
export type RevokeLink = (shortCode: string, author: Author) => Promise<RevocationResult>;

export function prepareRevokeLink(parts: {
  links: LinkStore;
  clock: () => EpochMs;
  newChangeId: (at: EpochMs) => string;
  /** Whether a webhook of the service wants revocations. */
  notifies?: boolean;
}): RevokeLink {
  const { links, clock, newChangeId, notifies } = parts;
  return (shortCode, author) => {
    const at = clock();
    return links.revoke(shortCode, { id: newChangeId(at), author, at, ...(notifies && { notifies }) });
  };
}
