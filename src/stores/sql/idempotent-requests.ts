import type { EpochMs } from '../../links/link.ts';
import type { IdempotencyStore } from '../../links/ports.ts';
import type { Dialect, Query, Statement } from './query.ts';

const FIND: Statement = {
  name: 'find-idempotent-request',
  text: `SELECT request.fingerprint, response.item, response.response
         FROM idempotent_request AS request
           JOIN idempotent_response AS response ON response.request_id = request.id
         WHERE request.id = $1 ORDER BY response.item`,
};
const SELECT_OLD: Statement = {
  name: 'select-old-idempotent-requests',
  text: `SELECT id, item_count FROM idempotent_request WHERE created_at < $1 ORDER BY created_at, id LIMIT $2`,
};

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

/**
 * Returns the operations on idempotent requests that write, but those of creations.
 *
 * @param commit runs statements, and resolves once they are durable
 */
export function createIdempotencyWrites(
  commit: <T>(work: (query: Query) => Promise<T>) => Promise<T>,
  dialect: Dialect,
): Pick<IdempotencyStore, 'deleteRequestsBefore'> {
  const listed = (column: string) => `${column} IN (SELECT value FROM ${dialect.texts('$1')})`;
  const deleteResponses: Statement = {
    name: 'delete-old-idempotent-responses',
    text: `DELETE FROM idempotent_response WHERE ${listed('request_id')}`,
  };
  const deleteRequests: Statement = {
    name: 'delete-old-idempotent-requests',
    text: `DELETE FROM idempotent_request WHERE ${listed('id')}`,
  };
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
  const taken = rows.filter(({ item_count }, index) => {
    responses += item_count;
    return index === 0 || responses <= maxResponses;
  });
  return taken.map(({ id }) => id);
}
