import { appendEntry, headAt, toRevocationEntry } from '../../core/model/chain.ts';
import { decideRevocation, type RevocationResult } from '../../core/model/decide-change.ts';
import type { LogEntry } from '../../core/model/history.ts';
import type { LinkChange } from '../../core/model/link-change.ts';
import { isNotified, type LinkEvents, toChangeEvents } from '../../core/model/link-event.ts';
import type { CurrentLink } from '../link-rows.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import { addStatuses, type StatusCounts } from './projections.ts';
import { findNotified } from './write-events.ts';

/** A revocation of a link, with a record of who did it. */
export type Revocation = { shortCode: string; change: LinkChange };

/** Revokes links, each with a record of who did. A link that is revoked already does not change. */
export async function revokeLinks(
  transaction: LinkTransaction,
  revocations: readonly Revocation[],
): Promise<(RevocationResult | typeof LOCKED)[]> {
  const { links, heldElsewhere, firstSeq } = await transaction.lock(
    revocations.map(({ shortCode }) => shortCode),
  );
  const subscribed = revocations.filter(({ change }) => change.notifiedLinks === 'SUBSCRIBED');
  const notified = await findNotified(
    transaction,
    subscribed.map(({ shortCode }) => shortCode),
  );
  const after = new Map<string, CurrentLink>();
  const entries: LogEntry[] = [];
  const events: LinkEvents[] = [];
  const statuses: StatusCounts = {};
  const results = revocations.map(({ shortCode, change: revocation }) => {
    if (heldElsewhere.has(shortCode)) return LOCKED;
    const before = after.get(shortCode) ?? links.get(shortCode);
    const { result, change } = decideRevocation(before?.state.status);
    if (!before || !change) return result;
    const entry = appendEntry(
      before.head,
      toRevocationEntry(shortCode, revocation),
      firstSeq + entries.length,
    );
    entries.push(entry);
    after.set(shortCode, { state: { ...before.state, status: change.to }, head: headAt(entry) });
    addStatuses(statuses, { [change.from]: -1 });
    addStatuses(statuses, { [change.to]: 1 });
    if (isNotified(revocation.notifiedLinks, () => notified.has(shortCode)))
      events.push(toChangeEvents(entry, headAt(entry)));
    return result;
  });
  if (entries.length > 0) {
    transaction.append({ entries, links: after, changed: after.keys(), statuses, events });
    await transaction.updateSearch([...after.keys()]);
  }
  return results;
}
