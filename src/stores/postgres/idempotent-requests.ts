import type { KnownRequest } from '../../links/idempotent-request.ts';
import { type Creation, idempotentCreations } from '../creation.ts';
import type { Statement } from '../sql/query.ts';
import type { Transaction } from './transaction.ts';

/** Waits for another transaction that has inserted the same request. In the order of the ids, against deadlocks. */
const INSERT_REQUESTS: Statement = {
  name: 'insert-idempotent-requests',
  text: `INSERT INTO idempotent_request (id, fingerprint, item_count, created_at)
         SELECT id, fingerprint, item_count, created_at
         FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
           AS new_request (id, fingerprint, item_count, created_at)
         ORDER BY id COLLATE "C"
         ON CONFLICT (id) DO NOTHING RETURNING id`,
};
const SELECT_REQUESTS: Statement = {
  name: 'select-idempotent-requests',
  text: 'SELECT id, fingerprint FROM idempotent_request WHERE id = ANY($1::text[])',
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

/** What a batch found of its requests. `insertedIds`: those that it inserted, whose ids no other transaction can take. */
export type FoundRequests = { known: KnownRequest[]; insertedIds: string[] };

/** Inserts the requests of a batch, and returns those of which links were committed before. */
export async function insertRequests(
  transaction: Transaction,
  creations: readonly Creation[],
): Promise<FoundRequests> {
  const requests = new Map(
    idempotentCreations(creations).map(({ request, at }) => [request.id, { ...request, at }]),
  );
  if (requests.size === 0) return { known: [], insertedIds: [] };
  const values = [...requests.values()];
  const inserted = await transaction.read<{ id: string }>(INSERT_REQUESTS, [
    values.map(({ id }) => id),
    values.map(({ fingerprint }) => fingerprint),
    values.map(({ itemCount }) => itemCount),
    values.map(({ at }) => at),
  ]);
  const insertedIds = inserted.map(({ id }) => id);
  for (const id of insertedIds) requests.delete(id);
  return { known: requests.size > 0 ? await readKnown(transaction, [...requests.keys()]) : [], insertedIds };
}

/** A statement of its own: it sees what was committed while the insertion waited. */
async function readKnown(transaction: Transaction, ids: string[]): Promise<KnownRequest[]> {
  const requests = await transaction.read<{ id: string; fingerprint: string }>(SELECT_REQUESTS, [ids]);
  const rows = await transaction.read<{ request_id: string; item: number }>(SELECT_ITEMS, [ids]);
  const items = Map.groupBy(rows, (row) => row.request_id);
  return requests.map((request) => ({
    ...request,
    items: (items.get(request.id) ?? []).map(({ item }) => item),
  }));
}

/** Writes the responses of those creations that succeeded. A request none of whose creations did is not kept. */
export function writeResponses(
  transaction: Transaction,
  created: readonly Creation[],
  { insertedIds }: FoundRequests,
): void {
  const responses = idempotentCreations(created);
  const succeeded = new Set(responses.map(({ request }) => request.id));
  const unused = insertedIds.filter((id) => !succeeded.has(id));
  if (unused.length > 0) transaction.write(DELETE_REQUESTS, [unused]);
  if (responses.length === 0) return;
  transaction.write(INSERT_RESPONSES, [
    responses.map(({ request }) => request.id),
    responses.map(({ item }) => item),
    responses.map(({ response }) => response),
  ]);
}
