import type { IdempotentCreation, KnownRequest } from '../../core/model/decide-creations.ts';
import type { EpochMs } from '../../core/model/link.ts';
import type { LinkChange } from '../../core/model/link-change.ts';
import type { IdempotencyStore } from '../../core/ports/ports.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { type Columns, type Commit, type Dialect, insertInto, type Query, type Statement } from './query.ts';

const FIND = `SELECT request.fingerprint, response.item, response.response
         FROM idempotent_request AS request
           JOIN idempotent_response AS response ON response.request_id = request.id
         WHERE request.id = $1 ORDER BY response.item`;
const SELECT_OLD = `SELECT id, item_count FROM idempotent_request WHERE created_at < $1 ORDER BY created_at, id LIMIT $2`;

type ResponseRow = { fingerprint: string; item: number; response: string };

/** Returns the operations on idempotent requests that only read. */
export function createIdempotencyReads(query: Query): Pick<IdempotencyStore, 'findRequest'> {
  return {
    async findRequest(id) {
      const rows = await query<ResponseRow>(FIND, [id]);
      const [first] = rows;
      return (
        first && {
          fingerprint: first.fingerprint,
          responses: rows.map(({ item, response }) => ({ item, response })),
        }
      );
    },
  };
}

/** Returns the operations on idempotent requests that write, except those of creations. */
export function createIdempotencyWrites(
  commit: Commit,
  dialect: Dialect,
): Pick<IdempotencyStore, 'deleteRequestsBefore'> {
  const listed = (column: string) => `${column} IN (SELECT value FROM ${dialect.texts('$1')})`;
  const deleteResponses = `DELETE FROM idempotent_response WHERE ${listed('request_id')}`;
  const deleteRequests = `DELETE FROM idempotent_request WHERE ${listed('id')}`;
  return {
    deleteRequestsBefore: (before: EpochMs, maxResponses: number) =>
      commit(async (query) => {
        const rows = await query<{ id: string; item_count: number }>(SELECT_OLD, [before, maxResponses]);
        const ids = takeUpTo(rows, maxResponses);
        if (ids.length === 0) return 0;
        const values = [JSON.stringify(ids)];
        await query(deleteResponses, values);
        await query(deleteRequests, values);
        return ids.length;
      }),
  };
}

/** Returns the first requests whose responses together are no more than `maxResponses`, but at least one. */
function takeUpTo(rows: readonly { id: string; item_count: number }[], maxResponses: number): string[] {
  let responses = 0;
  const first = rows.filter(({ item_count }, index) => {
    responses += item_count;
    return index === 0 || responses <= maxResponses;
  });
  return first.map(({ id }) => id);
}

const REQUEST: Columns = { id: 'text', fingerprint: 'text', item_count: 'integer', created_at: 'integer' };
const RESPONSE: Columns = { request_id: 'text', item: 'integer', response: 'text' };

/**
 * Inserts requests, or locks those that were committed before, so that no two transactions create the same item. Waits
 * for others that have the same requests. In the order of the ids, against deadlocks.
 */
const lockStatement = (dialect: Dialect): Statement => `${insertInto('idempotent_request', REQUEST, dialect)}
         ORDER BY id COLLATE ${dialect.byteOrder}
         ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING id, fingerprint`;
const selectItems = ({ texts }: Dialect): Statement =>
  `SELECT request_id, item FROM idempotent_response WHERE request_id IN (SELECT value FROM ${texts('$1')})`;
const deleteUnused = ({ texts }: Dialect): Statement =>
  `DELETE FROM idempotent_request WHERE id IN (SELECT value FROM ${texts('$1')})`;

/** A creation, with the response to its request. */
type Creation = { change: LinkChange; idempotency?: IdempotentCreation | undefined };
/** The requests that a batch found. `newIds`: those of which no link was committed before. */
type FoundRequests = { known: KnownRequest[]; newIds: string[] };

/** Inserts or locks the requests of a batch until its end, and returns those of which links were committed before. */
export async function lockRequests(
  { dialect, query }: LinkTransaction,
  creations: readonly Creation[],
): Promise<FoundRequests> {
  const requests = new Map(
    creations.flatMap(({ idempotency, change }) =>
      idempotency ? [[idempotency.request.id, { ...idempotency.request, at: change.at }]] : [],
    ),
  );
  if (requests.size === 0) return { known: [], newIds: [] };
  const rows = [...requests.values()].map(({ id, fingerprint, itemCount, at }) => [
    id,
    fingerprint,
    itemCount,
    at,
  ]);
  const [locked, items] = await Promise.all([
    query<{ id: string; fingerprint: string }>(lockStatement(dialect), dialect.values(REQUEST, rows)),
    // A statement of its own: it sees what was committed while the other waited.
    query<{ request_id: string; item: number }>(selectItems(dialect), [JSON.stringify([...requests.keys()])]),
  ]);
  const itemsOf = Map.groupBy(items, (row) => row.request_id);
  return {
    known: locked
      .filter(({ id }) => itemsOf.has(id))
      .map((request) => ({ ...request, items: (itemsOf.get(request.id) ?? []).map(({ item }) => item) })),
    newIds: locked.map(({ id }) => id).filter((id) => !itemsOf.has(id)),
  };
}

/** Writes the responses of those creations that succeeded. A request none of whose creations did is not kept. */
export function writeResponses(
  { dialect, write }: LinkTransaction,
  created: readonly Creation[],
  { newIds }: FoundRequests,
): void {
  const responses = created.flatMap(({ idempotency }) => (idempotency ? [idempotency] : []));
  const succeeded = new Set(responses.map(({ request }) => request.id));
  const unused = newIds.filter((id) => !succeeded.has(id));
  if (unused.length > 0) write(deleteUnused(dialect), [JSON.stringify(unused)]);
  const rows = responses.map(({ request, item, response }) => [request.id, item, response]);
  if (rows.length > 0)
    write(insertInto('idempotent_response', RESPONSE, dialect), dialect.values(RESPONSE, rows));
}
