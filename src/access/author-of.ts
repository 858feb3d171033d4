import { type Author, anonymous } from '../links/author.ts';
import type { Caller } from './caller.ts';

/** Returns the author of a change. A name is worth more to a history than the token of the link. */
export function authorOf(caller: Caller, hasLinkToken: boolean, ipAddress: string | null): Author {
  if (caller.kind !== 'ANONYMOUS') return { kind: caller.kind, name: caller.name, ipAddress };
  return hasLinkToken ? { kind: 'LINK_TOKEN', name: null, ipAddress } : anonymous(ipAddress);
}
