import { decideRevocation, type RevocationResult } from '../../links/decide-revocation.ts';
import type { LinkStatus } from '../../links/link.ts';
import type { LinkChange } from '../../links/link-change.ts';
import { canBeStored, type Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { LONG_LOCK_WAIT_MS, SHORT_LOCK_WAIT_MS } from './lock-links.ts';
import { createTurns, inIdempotentTransaction, limitLockWaits, type Transaction } from './transaction.ts';

const LOCK_STATUS: Statement = {
  name: 'lock-link-status',
  text: 'SELECT status FROM link WHERE short_code = $1 FOR UPDATE',
};
const UPDATE_STATUS: Statement = {
  name: 'update-link-status',
  text: 'UPDATE link SET status = $1 WHERE short_code = $2',
};
const RECORD_REVOCATION: Statement = {
  name: 'record-revocation',
  text: `INSERT INTO link_change (id, short_code, kind, author_kind, author_name, ip_address, changed_at)
         VALUES ($1, $2, 'REVOKED', $3, $4, $5, $6)`,
};

/**
 * Prepares revoking one link, with a record of who did. A link that is revoked already does not change.
 *
 * A link that another transaction holds is tried again until the statement time-out. All revocations that wait like
 * this use one connection in turns, so they exhaust no pool.
 */
export function prepareRevokeLink(
  connections: Connections,
  nextSlot: () => number,
): (shortCode: string, revocation: LinkChange) => Promise<RevocationResult> {
  const inTurn = createTurns();

  return async (shortCode, { id, author, at }) => {
    if (!canBeStored(shortCode)) return decideRevocation(undefined).result;
    let lockWaitMs = SHORT_LOCK_WAIT_MS;
    async function revoke(transaction: Transaction): Promise<RevocationResult> {
      limitLockWaits(transaction, lockWaitMs);
      lockWaitMs = LONG_LOCK_WAIT_MS;
      const [row] = await transaction.read<{ status: LinkStatus }>(LOCK_STATUS, [shortCode]);
      const { result, change } = decideRevocation(row?.status);
      if (change) {
        transaction.write(UPDATE_STATUS, [change.to, shortCode]);
        transaction.write(RECORD_REVOCATION, [id, shortCode, author.kind, author.name, author.ipAddress, at]);
        countLinks(transaction, nextSlot(), { [change.from]: -1, [change.to]: 1 });
      }
      return result;
    }
    return inIdempotentTransaction(connections, revoke, { inTurn });
  };
}
