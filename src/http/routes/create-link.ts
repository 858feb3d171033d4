import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyedRequest } from '../../links/begin-request.ts';
import type { Departure } from '../../links/ports.ts';
import { type NewLinkRequest, parseRedirect } from '../../links/rules/creation.ts';
import type { Parsed } from '../../links/rules/parsed.ts';
import { watchDeparture } from '../connection-end.ts';
import { requireValid } from '../errors.ts';
import {
  createOnce,
  fingerprintOf,
  type KeyedItem,
  type OnceResult,
  openFirst,
  prepareBeginKeyed,
  prepareLimitCreations,
} from '../idempotency.ts';
import type { Parts } from '../parts.ts';
import { errorResponses, IdempotencyHeaders, LinkCreated, RedirectRequest } from '../schemas.ts';
import { termsPolicyOf } from '../terms-policy.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import { sendCreatedLink, toCreatedItem, withLanguage } from './created-link.ts';

export type RedirectWanted = NewLinkRequest & { targetUrl: string };

/** POST /api/links */
export function createLinkRoute(app: FastifyInstance, parts: Parts): void {
  acceptJson(app, parts, 'application/json');
  const parse = prepareParseRedirect(parts);
  const beginKeyed = prepareBeginKeyed(parts);
  const limit = prepareLimitCreations(parts, 'creations');
  app.post<JsonRequest>(
    '/api/links',
    {
      config: { access: { needs: 'create', port: 'public' } },
      onRequest: [refuseContentEncoding, limit.onRequest],
      schema: {
        tags: ['Links'],
        summary: 'Create a link to a URL',
        headers: IdempotencyHeaders,
        body: RedirectRequest,
        response: { 201: LinkCreated, ...errorResponses(400, 401, 403, 409, 413, 415, 422, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const started = await beginKeyed(request);
      try {
        const result = await create(request, watchDeparture(reply.raw), started);
        if (result.isReplayed) await limit.giveBack(request);
        return sendCreatedLink(reply, result);
      } finally {
        started?.end();
      }
    },
  );

  /** It is not async, and so keeps nothing of the body meanwhile. */
  function create(
    request: FastifyRequest<JsonRequest>,
    client: Departure,
    started: KeyedRequest | undefined,
  ): Promise<OnceResult> {
    const body = takeBody(request);
    let keyed: KeyedItem | undefined;
    if (started) {
      const fingerprint = fingerprintOf(started, request, body);
      const first = openFirst(started, fingerprint).get(0);
      if (first) return Promise.resolve({ item: first, isReplayed: true });
      keyed = { started, fingerprint, item: 0, itemCount: 1 };
    }
    return createRedirect(parts, request, requireValid(parse(body, request)), { client, keyed });
  }
}

/** Prepares parsing the members of a link to a URL, by the rules for their sender. */
export function prepareParseRedirect(parts: Parts) {
  return (body: Record<string, unknown>, { isAuthorized }: FastifyRequest): Parsed<RedirectWanted> =>
    parseRedirect(body, parts.clock(), termsPolicyOf(parts, isAuthorized));
}

/** Creates a link to a URL, once if its request has an Idempotency-Key. */
export function createRedirect(
  parts: Parts,
  request: FastifyRequest,
  { targetUrl, ...wanted }: RedirectWanted,
  { client, keyed }: { client: Departure; keyed: KeyedItem | undefined },
): Promise<OnceResult> {
  const target = { type: 'REDIRECT', url: targetUrl } as const;
  const requested = withLanguage(wanted, request);
  return createOnce(
    keyed,
    (once) => parts.createLink(request.id, target, requested, request.author, { ...client, once }),
    (created) => toCreatedItem(created, wanted, parts),
  );
}
