import type { KnownRequest } from '../../links/idempotent-request.ts';
import { type Creation, idempotentCreations } from '../creation.ts';
import type { Statement } from '../sql/query.ts';
import type { Transaction } from './transaction.ts';

/**
 * Inserts requests, or locks those that were committed before, so that no two transactions create the same item. Waits
 * for others that have the same requests. In the order of the ids, against deadlocks.
 */
const LOCK_REQUESTS: Statement = {
  name: 'lock-idempotent-requests',
  text: `INSERT INTO idempotent_request (id, fingerprint, item_count, created_at)
         SELECT id, fingerprint, item_count, created_at
         FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
           AS new_request (id, fingerprint, item_count, created_at)
         ORDER BY id COLLATE "C"
         ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING id, fingerprint`,
};
const SELECT_ITEMS: Statement = {
  name: 'select-idempotent-items',
  text: 'SELECT request_id, item FROM idempotent_response WHERE request_id = ANY($1::text[])',
};
const INSERT_RESPONSES: Statement = {
  name: 'insert-idempotent-responses',
  text: `INSERT INTO idempotent_response (request_id, item, response)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])`,
};
const DELETE_REQUESTS: Statement = {
  name: 'delete-idempotent-requests',
  text: 'DELETE FROM idempotent_request WHERE id = ANY($1::text[])',
};

/** What a batch found of its requests. `newIds`: those of which no link was committed before. */
export type FoundRequests = { known: KnownRequest[]; newIds: string[] };

/** Inserts or locks the requests of a batch until its end, and returns those of which links were committed before. */
export async function lockRequests(
  transaction: Transaction,
  creations: readonly Creation[],
): Promise<FoundRequests> {
  const requests = new Map(
    idempotentCreations(creations).map(({ request, at }) => [request.id, { ...request, at }]),
  );
  if (requests.size === 0) return { known: [], newIds: [] };
  const values = [...requests.values()];
  const [locked, rows] = await Promise.all([
    transaction.read<{ id: string; fingerprint: string }>(LOCK_REQUESTS, [
      values.map(({ id }) => id),
      values.map(({ fingerprint }) => fingerprint),
      values.map(({ itemCount }) => itemCount),
      values.map(({ at }) => at),
    ]),
    // A statement of its own: it sees what was committed while the other waited.
    transaction.read<{ request_id: string; item: number }>(SELECT_ITEMS, [[...requests.keys()]]),
  ]);
  const items = Map.groupBy(rows, (row) => row.request_id);
  return {
    known: locked
      .filter(({ id }) => items.has(id))
      .map((request) => ({ ...request, items: (items.get(request.id) ?? []).map(({ item }) => item) })),
    newIds: locked.map(({ id }) => id).filter((id) => !items.has(id)),
  };
}

/** Writes the responses of those creations that succeeded. A request none of whose creations did is not kept. */
export function writeResponses(
  transaction: Transaction,
  created: readonly Creation[],
  { newIds }: FoundRequests,
): void {
  const responses = idempotentCreations(created);
  const succeeded = new Set(responses.map(({ request }) => request.id));
  const unused = newIds.filter((id) => !succeeded.has(id));
  if (unused.length > 0) transaction.write(DELETE_REQUESTS, [unused]);
  if (responses.length === 0) return;
  transaction.write(INSERT_RESPONSES, [
    responses.map(({ request }) => request.id),
    responses.map(({ item }) => item),
    responses.map(({ response }) => response),
  ]);
}
