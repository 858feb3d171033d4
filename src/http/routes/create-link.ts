import type { FastifyInstance } from 'fastify';
import { parseRedirect } from '../../links/rules/creation.ts';
import { watchDeparture } from '../departure.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { limitRequests } from '../limit-requests.ts';
import type { Parts } from '../parts.ts';
import { errorResponses, LinkCreated, RedirectRequest } from '../schemas.ts';
import { acceptJson, refuseContentEncoding } from './accepted-bodies.ts';
import { sendCreatedLink, withLanguage } from './created-link.ts';

/** POST /api/links */
export function createLinkRoute(app: FastifyInstance, parts: Parts): void {
  acceptJson(app, 'application/json');
  const { baseUrl, blockedHosts, linkPolicy } = parts;
  const policy = { ...linkPolicy, baseUrl, blockedHosts };
  app.post<{ Body: Record<string, unknown> | undefined }>(
    '/api/links',
    {
      config: { access: { needs: 'create', port: 'public' } },
      onRequest: [refuseContentEncoding, limitRequests(parts, parts.limits.limitCreations, 'creations')],
      schema: {
        tags: ['Links'],
        summary: 'Create a link to a URL',
        body: RedirectRequest,
        response: { 201: LinkCreated, ...errorResponses(400, 401, 403, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      if (body === undefined) throw ERRORS.malformedJson();
      const { targetUrl, ...wanted } = requireValid(
        parseRedirect(body, parts.clock(), {
          ...policy,
          notify: parts.notifyPolicy(request.isAuthorized),
          mail: parts.mailPolicy(request.isAuthorized),
        }),
      );
      const target = { type: 'REDIRECT', url: targetUrl } as const;
      const client = watchDeparture(reply.raw);
      const created = await parts.createLink(
        request.id,
        target,
        withLanguage(wanted, request),
        request.author,
        client,
      );
      return sendCreatedLink(reply, created, { sent: wanted, parts });
    },
  );
}
