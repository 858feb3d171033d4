import type { LinkStatus } from '../../links/link.ts';
import type { Statement } from '../sql/query.ts';
import type { Transaction } from './transaction.ts';

const ADD: Statement = {
  name: 'add-links-by-status',
  text: `INSERT INTO links_by_status (status, slot, count)
         SELECT status, $3, count FROM unnest($1::text[], $2::bigint[]) AS change (status, count) ORDER BY status
         ON CONFLICT (status, slot) DO UPDATE SET count = links_by_status.count + excluded.count`,
};

/** Adds to the counts of links by status, within the caller's transaction. */
export function countLinks(
  transaction: Transaction,
  slot: number,
  changes: Partial<Record<LinkStatus, number>>,
): void {
  transaction.write(ADD, [Object.keys(changes), Object.values(changes), slot]);
}
