import type { Attempt, AttemptOutcome } from '../../core/model/attempt.ts';
import { dependsOnLink } from '../../core/model/decide-attempt.ts';
import type { Lease } from '../../core/model/lease.ts';
import { applyAttempts } from '../apply-attempts.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import type { StatusCounts } from './projections.ts';
import { readCodes, writeCodes } from './recipient-codes.ts';
import { insertLeases } from './resume-downloads.ts';

/** Decides a batch of attempts, and appends their records. */
export async function commitAttempts(
  transaction: LinkTransaction,
  attempts: readonly Attempt[],
): Promise<(AttemptOutcome | typeof LOCKED)[]> {
  const shortCodes = new Set(attempts.filter(dependsOnLink).map(({ shortCode }) => shortCode));
  const { links, heldElsewhere, firstSeq } = await transaction.lock(shortCodes);
  const isHeld = (attempt: Attempt) => heldElsewhere.has(attempt.shortCode) && dependsOnLink(attempt);
  const free = heldElsewhere.size === 0 ? attempts : attempts.filter((attempt) => !isHeld(attempt));
  const codes = await readCodes(transaction, free);
  const effects = applyAttempts(links, free, firstSeq, codes);
  const { outcomes, entries, links: after, statusChanges, events } = effects;
  const statuses: StatusCounts = {};
  for (const status of statusChanges.values()) {
    statuses.ACTIVE = (statuses.ACTIVE ?? 0) - 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const changed = [...statusChanges.keys()];
  if (entries.length > 0) transaction.append({ entries, links: after, changed, statuses, events });
  insertLeases(transaction, grantedLeases(free, outcomes));
  writeCodes(transaction, effects.codes);
  if (changed.length > 0) await transaction.updateSearch(changed);
  if (free === attempts) return outcomes;
  const results = outcomes[Symbol.iterator]();
  return attempts.map((attempt) => (isHeld(attempt) ? LOCKED : (results.next().value ?? LOCKED)));
}

/** Returns the leases of the attempts that were granted. */
function grantedLeases(attempts: readonly Attempt[], outcomes: readonly AttemptOutcome[]): Lease[] {
  return attempts.flatMap(({ id: attemptId, shortCode, lease }, index) => {
    const isGranted = outcomes[index]?.verdict === 'SUCCESS';
    return lease && isGranted ? [{ ...lease, attemptId, shortCode }] : [];
  });
}
