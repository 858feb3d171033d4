import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyedRequest } from '../../links/begin-request.ts';
import type { ClientState } from '../../links/ports.ts';
import { type NewLinkRequest, parseRedirect } from '../../links/rules/creation.ts';
import type { Parsed } from '../../links/rules/parsed.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import {
  createFirst,
  createOnce,
  type KeyedItem,
  type OnceResult,
  prepareSingleCreation,
} from '../idempotency.ts';
import { errorResponses, IdempotencyHeaders, LinkCreated, RedirectRequest } from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import { sendCreatedLink, termsPolicyOf, toCreatedItem, withLanguage } from './created-link.ts';

export type RedirectWanted = NewLinkRequest & { targetUrl: string };

/** POST /api/links */
export function createLinkRoute(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, 'application/json');
  const parse = prepareParseRedirect(deps);
  const creation = prepareSingleCreation(deps, 'creations');
  app.post<JsonRequest>(
    '/api/links',
    {
      config: { access: { needs: 'create', port: 'public' } },
      onRequest: [refuseContentEncoding, creation.onRequest],
      schema: {
        tags: ['Links'],
        summary: 'Create a link to a URL',
        headers: IdempotencyHeaders,
        body: RedirectRequest,
        response: { 201: LinkCreated, ...errorResponses(400, 401, 403, 409, 413, 415, 422, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const client = clientStateOf(reply.raw);
      const result = await creation.run(request, (started) => create(request, client, started));
      return sendCreatedLink(reply, result);
    },
  );

  /** It is not async, and so keeps nothing of the body meanwhile. */
  function create(
    request: FastifyRequest<JsonRequest>,
    client: ClientState,
    started: KeyedRequest | undefined,
  ): Promise<OnceResult> {
    const body = takeBody(request);
    return createFirst(started, request, body, (keyed) =>
      createRedirect(deps, request, requireValid(parse(body, request)), { client, keyed }),
    );
  }
}

/** Prepares parsing the members of a link to a URL, by the rules for their sender. */
export function prepareParseRedirect(deps: HttpDependencies) {
  return (body: Record<string, unknown>, { isAuthorized }: FastifyRequest): Parsed<RedirectWanted> =>
    parseRedirect(body, deps.clock(), termsPolicyOf(deps, isAuthorized));
}

/** Creates a link to a URL, once if its request has an Idempotency-Key. */
export function createRedirect(
  deps: HttpDependencies,
  request: FastifyRequest,
  { targetUrl, ...wanted }: RedirectWanted,
  { client, keyed }: { client: ClientState; keyed: KeyedItem | undefined },
): Promise<OnceResult> {
  const target = { type: 'REDIRECT', url: targetUrl } as const;
  const requested = withLanguage(wanted, request);
  return createOnce(
    keyed,
    (once) => deps.createLink(request.id, target, requested, request.author, { ...client, once }),
    (created) => toCreatedItem(created, wanted, deps),
  );
}
