import type { EpochMs } from '../../links/link.ts';
import { createHasUnindexed, createMaintainList } from '../sql/maintain-list.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { inIdempotentTransaction } from './transaction.ts';

const LOCK: Statement = {
  name: 'lock-link-indexer',
  text: 'SELECT only_row FROM link_indexer FOR UPDATE SKIP LOCKED',
};

/** Prepares keeping the search of the list, one instance at a time. */
export function prepareMaintainList(connections: Connections) {
  const maintainList = createMaintainList(POSTGRES);
  const hasUnindexed = createHasUnindexed(connections.read);
  return async (limit: number, now: EpochMs): Promise<boolean> => {
    if (!(await hasUnindexed())) return false;
    return inIdempotentTransaction(connections, async ({ read }) => {
      const [lock] = await read(LOCK);
      return lock !== undefined && (await maintainList(read, limit, now));
    });
  };
}
