import { decideRevocation, type RevocationResult } from '../../links/decide-revocation.ts';
import type { LinkStatus } from '../../links/link.ts';
import { canBeStored, type Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { inIdempotentTransaction } from './transaction.ts';

const LOCK_STATUS: Statement = {
  name: 'lock-link-status',
  text: 'SELECT status FROM link WHERE short_code = $1 FOR UPDATE',
};
const UPDATE_STATUS: Statement = {
  name: 'update-link-status',
  text: 'UPDATE link SET status = $1 WHERE short_code = $2',
};

/** Prepares revoking one link. A link that is revoked already does not change. */
export function prepareRevokeLink(
  connections: Connections,
  nextSlot: () => number,
): (shortCode: string) => Promise<RevocationResult> {
  return async (shortCode) => {
    if (!canBeStored(shortCode)) return decideRevocation(undefined).result;
    return inIdempotentTransaction(connections, async (transaction) => {
      const [row] = await transaction.read<{ status: LinkStatus }>(LOCK_STATUS, [shortCode]);
      const { result, change } = decideRevocation(row?.status);
      if (change) {
        transaction.write(UPDATE_STATUS, [change.to, shortCode]);
        countLinks(transaction, nextSlot(), { [change.from]: -1, [change.to]: 1 });
      }
      return result;
    });
  };
}
