import type { Author } from './author.ts';
import type { RevocationResult } from './decide-revocation.ts';
import { type LinkChangeParts, prepareNewChange } from './link-change.ts';
import type { LinkStore } from './ports.ts';

/** Revokes a link for good, and records its author. Revoking it again changes and records nothing. */
export type RevokeLink = (shortCode: string, author: Author) => Promise<RevocationResult>;

export function prepareRevokeLink(parts: { links: LinkStore } & LinkChangeParts): RevokeLink {
  const newChange = prepareNewChange(parts);
  return (shortCode, author) => parts.links.revoke(shortCode, newChange(author));
}
