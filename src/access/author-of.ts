import { type Author, anonymous, creatorOf } from '../links/author.ts';
import type { Link } from '../links/link.ts';
import type { Caller } from './caller.ts';

/** Returns the author of a change. A name is worth more to a history than the token of the link. */
export function authorOf(caller: Caller, hasLinkToken: boolean, ipAddress: string | null): Author {
  if (caller.kind !== 'ANONYMOUS') return { kind: caller.kind, name: caller.name, ipAddress };
  return hasLinkToken ? { kind: 'LINK_TOKEN', name: null, ipAddress } : anonymous(ipAddress);
}

/** Returns whether a link was created with the credentials of a caller. */
export function isCreator(caller: Caller, link: Pick<Link, 'creator'> | undefined): boolean {
  return caller.kind !== 'ANONYMOUS' && link?.creator === creatorOf(caller);
}
