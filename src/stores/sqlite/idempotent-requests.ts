import type { DatabaseSync } from 'node:sqlite';
import type { KnownRequest } from '../../links/idempotent-request.ts';
import { type Creation, idempotentCreations } from '../creation.ts';

/** Prepares reading and writing the responses to requests with an Idempotency-Key, with the creations of a batch. */
export function prepareIdempotentRequests(db: DatabaseSync) {
  const find = db.prepare('SELECT fingerprint FROM idempotent_request WHERE id = ?');
  const findItems = db.prepare('SELECT item FROM idempotent_response WHERE request_id = ?');
  const insertRequest = db.prepare(
    `INSERT INTO idempotent_request (id, fingerprint, item_count, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const insertResponse = db.prepare(
    'INSERT INTO idempotent_response (request_id, item, response) VALUES (?, ?, ?)',
  );

  return {
    /** Returns those requests of a batch of which links were committed before. */
    findKnown(creations: readonly Creation[]): KnownRequest[] {
      const ids = new Set(idempotentCreations(creations).map(({ request }) => request.id));
      return [...ids].flatMap((id) => {
        const row = find.get(id);
        const items = () => findItems.all(id).map(({ item }) => Number(item));
        return row ? [{ id, fingerprint: String(row['fingerprint']), items: items() }] : [];
      });
    },
    insert(creations: readonly Creation[]): void {
      let inserted: string | undefined;
      for (const { request, item, response, at } of idempotentCreations(creations)) {
        const { id, fingerprint, itemCount } = request;
        if (id !== inserted) insertRequest.run(id, fingerprint, itemCount, at);
        inserted = id;
        insertResponse.run(id, item, response);
      }
    },
  };
}
