import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyedRequest } from '../../links/begin-request.ts';
import { parseBulkList } from '../bulk-list.ts';
import { BulkRequest, BulkResults } from '../bulk-schemas.ts';
import { setHeaders } from '../common-headers.ts';
import { departureOf, hasLeft } from '../connection-end.ts';
import { type ManyItems, prepareCreateMany } from '../create-many.ts';
import { requireValid } from '../errors.ts';
import {
  fingerprintOf,
  markReplayed,
  openFirst,
  prepareBeginKeyed,
  prepareCountItems,
} from '../idempotency.ts';
import type { Parts } from '../parts.ts';
import { MAX_MS_IN_PLACE, readBody } from '../read-body.ts';
import { errorResponses, IdempotencyHeaders } from '../schemas.ts';
import { JSON_HEADERS, retryAfterHeader } from '../send-error.ts';
import { MAX_BULK_BYTES } from '../sizes.ts';
import { findIgnored, nameIgnored, namesOf } from '../unknown-fields.ts';
import { acceptUnreadJson, refuseContentEncoding, requireJsonObject } from './accepted-bodies.ts';

const KNOWN_MEMBERS = namesOf(BulkRequest);

/** POST /api/links/bulk */
export function bulkLinksRoute(app: FastifyInstance, parts: Parts): void {
  acceptUnreadJson(app, 'application/json'); // read only when it is the request's turn, so that few bodies are in memory
  const beginKeyed = prepareBeginKeyed(parts);
  const createMany = prepareCreateMany(parts);
  const countItems = prepareCountItems(parts);
  app.post(
    '/api/links/bulk',
    {
      bodyLimit: Number.MAX_SAFE_INTEGER, // the handler enforces the limit, with the text of the contract
      config: { access: { needs: 'create', port: 'public' } },
      onRequest: refuseContentEncoding,
      schema: {
        tags: ['Links'],
        summary: 'Create up to 1,000 links to URLs',
        description: DESCRIPTION,
        headers: IdempotencyHeaders,
        body: BulkRequest,
        response: { 200: BulkResults, ...errorResponses(400, 401, 403, 409, 413, 415, 422, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      reply.raw.on('timeout', () => undefined); // hashing many passwords may take minutes without a byte sent
      const started = await beginKeyed(request);
      const departure = departureOf(reply.raw);
      const requester = { address: request.author.ipAddress, hasLeft: departure };
      const client = { hasLeft: () => hasLeft(reply.raw), departure: () => departure };
      try {
        return await parts.bulkQueue.run(requester, async () => {
          const { items, keyed, first } = await readItems(request, reply, started);
          if (started) await countItems(request, items.length - (started.isRepeat ? first.size : 1));
          const many = await createMany(request, { items, client, keyed, first });
          const { results, waitMs, isReplayed } = many;
          nameIgnored(reply, many.ignored);
          if (isReplayed) markReplayed(reply);
          if (waitMs > 0) setHeaders(reply, retryAfterHeader(waitMs));
          return sendJson(reply, { results });
        });
      } finally {
        started?.end();
      }
    },
  );
}

const DESCRIPTION =
  'Each item is handled as if it were sent alone, and has its own result, in the order of the items. The body has at ' +
  'most 4 MB. With an Idempotency-Key, a repeat creates only links that the first request did not create';

async function readItems(
  request: FastifyRequest,
  reply: FastifyReply,
  started: KeyedRequest | undefined,
): Promise<Omit<ManyItems, 'client'>> {
  const body = requireJsonObject(await readBody(request.raw, MAX_BULK_BYTES, { maxMs: MAX_MS_IN_PLACE }));
  nameIgnored(reply, requireValid(findIgnored(Object.keys(body), KNOWN_MEMBERS)));
  const items = requireValid(parseBulkList('items', body['items']));
  await nextTurn(); // parsing and hashing 4 MB take up to 50 ms each
  if (!started) return { items, keyed: undefined, first: new Map() };
  const fingerprint = fingerprintOf(started, request, items);
  return { items, keyed: { started, fingerprint }, first: openFirst(started, fingerprint) };
}

/** Without the framework's serialization by a schema, which takes as long as creating the links. */
function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  setHeaders(reply, JSON_HEADERS);
  return reply.send(JSON.stringify(value));
}
