import { appendEntry, EMPTY_CHAIN, nextPlace, toRevocationEntry } from '../../links/chain.ts';
import { decideRevocation, type RevocationResult } from '../../links/decide-revocation.ts';
import type { ChainHead, ChainPlace, ChangeEntry } from '../../links/history.ts';
import type { LinkStatus } from '../../links/link.ts';
import type { LinkChange } from '../../links/link-change.ts';
import { type NotifiedLinks, toChangeEvents } from '../../links/link-event.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { updateSearch } from './list-links.ts';
import { type LockStrategy, prepareLockLinks } from './lock-links.ts';
import { LOCKED } from './lock-wait-queue.ts';
import { columnsOfChanges, insertChanges } from './record-changes.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';
import { writeEvents, writeEventsIfNotified } from './write-events.ts';

/** A revocation of a link, with a record of who did it. */
export type Revocation = { shortCode: string; change: LinkChange };

const UPDATE_STATUSES: Statement = {
  name: 'revoke-links',
  text: `UPDATE link SET status = 'REVOKED', entry_count = revoked.entry_count,
           fingerprint = decode(revoked.fingerprint, 'hex'), last_id = revoked.last_id
         FROM unnest($1::text[], $2::bigint[], $3::text[], $4::uuid[])
           AS revoked (short_code, entry_count, fingerprint, last_id)
         WHERE link.short_code = revoked.short_code`,
};
const RECORD_REVOCATIONS: Statement = {
  name: 'record-revocations',
  text: insertChanges(1),
};

/**
 * Prepares revoking links, each with a record of who did. A link that is revoked already does not change, so of
 * several revocations of one link the first is recorded.
 */
export function prepareRevokeLinks(connections: Connections, nextSlot: () => number) {
  return (
    revocations: Revocation[],
    strategy: LockStrategy,
  ): Promise<(RevocationResult | typeof LOCKED)[]> => {
    const lockLinks = prepareLockLinks([...new Set(revocations.map(({ shortCode }) => shortCode))], strategy);
    return inIdempotentTransaction(connections, async (transaction) => {
      const { links, heads, heldElsewhere } = await lockLinks(transaction);
      const statuses = new Map([...links].map(([shortCode, { status }]) => [shortCode, status]));
      const changed: Changed[] = [];
      const results = revocations.map((revocation) => {
        const { shortCode } = revocation;
        if (heldElsewhere.has(shortCode)) return LOCKED;
        const { result, change } = decideRevocation(statuses.get(shortCode));
        if (change) {
          statuses.set(shortCode, change.to);
          const entry = toRevocationEntry(shortCode, revocation.change);
          const before = heads.get(shortCode) ?? EMPTY_CHAIN;
          const [place, head] = [nextPlace(before), appendEntry(before, entry)];
          const { notifiedLinks } = revocation.change;
          changed.push({ entry, place, head, from: change.from, notifiedLinks });
        }
        return result;
      });
      if (changed.length > 0) await writeRevocations(transaction, nextSlot(), changed);
      return results;
    });
  };
}

type Changed = {
  entry: ChangeEntry;
  place: ChainPlace;
  head: ChainHead;
  from: LinkStatus;
  notifiedLinks: NotifiedLinks | undefined;
};

async function writeRevocations(
  transaction: Transaction,
  slot: number,
  changed: readonly Changed[],
): Promise<void> {
  transaction.write(UPDATE_STATUSES, [
    changed.map(({ entry }) => entry.shortCode),
    changed.map(({ head }) => head.entryCount),
    changed.map(({ head }) => head.fingerprint),
    changed.map(({ head }) => head.lastId),
  ]);
  await updateSearch(
    transaction,
    changed.map(({ entry }) => entry.shortCode),
  );
  transaction.write(RECORD_REVOCATIONS, columnsOfChanges(changed));
  const counts: Partial<Record<LinkStatus, number>> = { REVOKED: changed.length };
  for (const { from } of changed) counts[from] = (counts[from] ?? 0) - 1;
  countLinks(transaction, slot, counts);
  for (const { entry, head, notifiedLinks } of changed) {
    const events = toChangeEvents(entry, head);
    if (notifiedLinks === 'ALL') writeEvents(transaction, [events]);
    else if (notifiedLinks === 'SUBSCRIBED') writeEventsIfNotified(transaction, events);
  }
}
