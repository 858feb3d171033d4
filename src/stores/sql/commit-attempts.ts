import type { Attempt } from '../../core/model/attempt.ts';
import { dependsOnLink } from '../../core/model/decide-attempt.ts';
import type { Lease } from '../../core/model/lease.ts';
import type { IsAborted } from '../abort-flags.ts';
import { applyAttempts, type BatchOutcome } from '../apply-attempts.ts';
import type { StatusCounts } from '../projection.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import { insertLeases } from './resume-downloads.ts';

/** Decides a batch of attempts, and appends their records. */
export async function commitAttempts(
  transaction: LinkTransaction,
  attempts: readonly Attempt[],
  isAborted: IsAborted,
): Promise<(BatchOutcome | typeof LOCKED)[]> {
  const shortCodes = new Set(attempts.filter(dependsOnLink).map(({ shortCode }) => shortCode));
  const { links, heldElsewhere, firstSeq } = await transaction.lock(shortCodes);
  const isHeld = (attempt: Attempt) => heldElsewhere.has(attempt.shortCode) && dependsOnLink(attempt);
  const free = heldElsewhere.size === 0 ? attempts : attempts.filter((attempt) => !isHeld(attempt));
  const indexes = free === attempts ? null : free.map((attempt) => attempts.indexOf(attempt));
  const {
    outcomes,
    entries,
    links: after,
    statusChanges,
    events,
  } = applyAttempts(
    links,
    free,
    firstSeq,
    indexes ? (index) => isAborted(indexes[index] ?? index) : isAborted,
  );
  const statuses: StatusCounts = {};
  for (const status of statusChanges.values()) {
    statuses.ACTIVE = (statuses.ACTIVE ?? 0) - 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const changed = [...statusChanges.keys()];
  if (entries.length > 0) transaction.append({ entries, links: after, changed, statuses, events });
  insertLeases(transaction, grantedLeases(free, outcomes));
  if (changed.length > 0) await transaction.updateSearch(changed);
  if (!indexes) return outcomes;
  const results = outcomes[Symbol.iterator]();
  return attempts.map((attempt) => (isHeld(attempt) ? LOCKED : (results.next().value ?? LOCKED)));
}

/** Returns the leases of the attempts that were granted. */
function grantedLeases(attempts: readonly Attempt[], outcomes: readonly BatchOutcome[]): Lease[] {
  return attempts.flatMap(({ id: attemptId, shortCode, lease }, index) => {
    const outcome = outcomes[index];
    const isGranted = typeof outcome === 'object' && outcome.verdict === 'SUCCESS';
    return lease && isGranted ? [{ ...lease, attemptId, shortCode }] : [];
  });
}
