import type { LinkStatus } from '../../links/link.ts';
import type { Statement } from './batch.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { canBeStored } from './stored-text.ts';
import { inIdempotentTransaction } from './transaction.ts';

const LOCK: Statement = {
  name: 'lock-link-status',
  text: 'SELECT status FROM link WHERE short_code = $1 FOR UPDATE',
};
const REVOKE: Statement = {
  name: 'revoke-link',
  text: `UPDATE link SET status = 'REVOKED' WHERE short_code = $1`,
};

/** Revokes one link; a revoked link stays as it is. */
export function prepareRevokeLink(
  connections: Connections,
  nextSlot: () => number,
): (shortCode: string) => Promise<'revoked' | 'already-revoked' | 'not-found'> {
  return async (shortCode) => {
    if (!canBeStored(shortCode)) return 'not-found';
    return inIdempotentTransaction(connections, async (transaction) => {
      const [row] = await transaction.read<{ status: LinkStatus }>(LOCK, [shortCode]);
      if (!row) return 'not-found';
      if (row.status === 'REVOKED') return 'already-revoked';
      transaction.write(REVOKE, [shortCode]);
      countLinks(transaction, nextSlot(), { [row.status]: -1, REVOKED: 1 });
      return 'revoked';
    });
  };
}
