import type { EpochMs } from '../../links/link.ts';
import type { MaintainedSlice } from '../../links/link-list.ts';
import { createFindListWork, createMaintainList } from '../sql/maintain-list.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { SEAL_DELAY_MS } from './seal-earlier-entries.ts';
import { inIdempotentTransaction } from './transaction.ts';

const LOCK: Statement = {
  name: 'lock-link-list',
  text: `SELECT name FROM background_work WHERE name = 'link-list' FOR UPDATE SKIP LOCKED`,
};

/** While instances of the version before may run, the list is filled at this interval. */
const FILL_INTERVAL_MS = 60_000;

/**
 * Prepares keeping the list, one instance at a time. Instances of the version before may run until this one has started,
 * and create links that are in no list. So the recorded creations are listed up to the start.
 */
export function prepareMaintainList(connections: Connections) {
  const maintainList = createMaintainList(POSTGRES);
  const findWork = createFindListWork(connections.read);
  let startedAt: EpochMs | undefined;
  let nextFillAt = Number.NEGATIVE_INFINITY;
  return async (limit: number, now: EpochMs): Promise<MaintainedSlice> => {
    const { step, count, hasUnindexed } = await findWork();
    const isFilled = step === 'DONE';
    if (!hasUnindexed && (isFilled || now < nextFillAt)) return { state: 'WAIT', listed: count, isFilled };
    startedAt ??= now;
    const end = Math.min(startedAt, now - SEAL_DELAY_MS);
    const isFinal = end >= startedAt;
    const slice = await inIdempotentTransaction(connections, async ({ read }): Promise<MaintainedSlice> => {
      const [lock] = await read(LOCK);
      if (!lock) return { state: 'WAIT', listed: 0, isFilled: false };
      return maintainList(read, limit, now, { end, isFinal });
    });
    if (slice.state === 'WAIT') nextFillAt = now + FILL_INTERVAL_MS;
    return slice;
  };
}
