import type { LinkStatus } from './link.ts';

export type RevocationResult = 'revoked' | 'already-revoked' | 'not-found';

/** A revocation: what is reported, and how the link's status changes, if it does. */
export type RevocationDecision = {
  result: RevocationResult;
  change: { from: LinkStatus; to: LinkStatus } | null;
};

/** Decides a revocation by the link's status; undefined means no link. Stores run it in their transaction. */
export function decideRevocation(status: LinkStatus | undefined): RevocationDecision {
  if (status === undefined) return { result: 'not-found', change: null };
  if (status === 'REVOKED') return { result: 'already-revoked', change: null };
  return { result: 'revoked', change: { from: status, to: 'REVOKED' } };
}
