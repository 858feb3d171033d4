import type { Lease } from './lease.ts';
import type { EpochMs, LinkState } from './link.ts';
import { CHANGED } from './verdict.ts';

/**
 * A request to send `chargedBytes` of the file `fileId`, which the link has in the version `version` of its definition.
 * `hash`: of the token that was sent.
 */
export type ResumeRequest = Pick<Lease, 'hash' | 'shortCode' | 'fileId'> & {
  version: number;
  chargedBytes: number;
  at: EpochMs;
};

export type ResumeDenial = 'LEASE_NOT_FOUND' | 'LEASE_ENDED' | 'LEASE_USED_UP' | 'REVOKED';

/** `attemptId`: of the attempt whose view is continued. CHANGED: the definition was changed since it was found. */
export type ResumeResult =
  | { verdict: 'GRANTED'; attemptId: string }
  | { verdict: ResumeDenial | typeof CHANGED };

/** Decides whether a lease sends more of its file. Pure: each store runs it inside its transaction. */
export function decideResume(
  lease: Lease | undefined,
  link: Pick<LinkState, 'status' | 'definitionVersion'> | undefined,
  { shortCode, fileId, version, chargedBytes, at }: ResumeRequest,
): ResumeResult {
  if (lease?.shortCode !== shortCode) return { verdict: 'LEASE_NOT_FOUND' };
  if (link?.status === 'REVOKED') return { verdict: 'REVOKED' };
  if (link && link.definitionVersion !== version) return { verdict: CHANGED };
  if (at >= lease.endsAt || lease.fileId !== fileId) return { verdict: 'LEASE_ENDED' };
  if (chargedBytes > lease.restBytes) return { verdict: 'LEASE_USED_UP' };
  return { verdict: 'GRANTED', attemptId: lease.attemptId };
}
