import { decideRevocation, type RevocationResult } from '../../links/decide-revocation.ts';
import type { LinkStatus } from '../../links/link.ts';
import type { LinkChange } from '../../links/link-change.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { type LockStrategy, prepareLockLinks } from './lock-links.ts';
import { LOCKED } from './lock-wait-queue.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';

/** A revocation of a link, with a record of who did it. */
export type Revocation = { shortCode: string; change: LinkChange };

const UPDATE_STATUSES: Statement = {
  name: 'revoke-links',
  text: `UPDATE link SET status = 'REVOKED' WHERE short_code = ANY($1::text[])`,
};
const RECORD_REVOCATIONS: Statement = {
  name: 'record-revocations',
  text: `INSERT INTO link_change (id, short_code, kind, author_kind, author_name, ip_address, changed_at)
         SELECT id, short_code, 'REVOKED', author_kind, author_name, ip_address, changed_at
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
           AS change (id, short_code, author_kind, author_name, ip_address, changed_at)`,
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
      const { links, heldElsewhere } = await lockLinks(transaction);
      const statuses = new Map([...links].map(([shortCode, { status }]) => [shortCode, status]));
      const changed: Changed[] = [];
      const results = revocations.map((revocation) => {
        const { shortCode } = revocation;
        if (heldElsewhere.has(shortCode)) return LOCKED;
        const { result, change } = decideRevocation(statuses.get(shortCode));
        if (change) {
          statuses.set(shortCode, change.to);
          changed.push({ ...revocation, from: change.from });
        }
        return result;
      });
      if (changed.length > 0) writeRevocations(transaction, nextSlot(), changed);
      return results;
    });
  };
}

type Changed = Revocation & { from: LinkStatus };

function writeRevocations(transaction: Transaction, slot: number, changed: readonly Changed[]): void {
  const shortCodes = changed.map(({ shortCode }) => shortCode);
  const authors = changed.map(({ change }) => change.author);
  transaction.write(UPDATE_STATUSES, [shortCodes]);
  transaction.write(RECORD_REVOCATIONS, [
    changed.map(({ change }) => change.id),
    shortCodes,
    authors.map(({ kind }) => kind),
    authors.map(({ name }) => name),
    authors.map(({ ipAddress }) => ipAddress),
    changed.map(({ change }) => change.at),
  ]);
  const counts: Partial<Record<LinkStatus, number>> = { REVOKED: changed.length };
  for (const { from } of changed) counts[from] = (counts[from] ?? 0) - 1;
  countLinks(transaction, slot, counts);
}
