import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseRedirect } from '../../links/rules/creation.ts';
import { watchDeparture } from '../departure.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { limitRequests } from '../limit-requests.ts';
import type { Parts } from '../parts.ts';
import { readBody } from '../read-body.ts';
import { errorResponses, LinkCreated, RedirectRequest } from '../schemas.ts';
import { MAX_JSON_BYTES } from '../sizes.ts';
import { refuseContentEncoding, refuseOtherContentTypes } from './accepted-bodies.ts';
import { sendCreatedLink, withLanguage } from './created-link.ts';

/** POST /api/links */
export function createLinkRoute(app: FastifyInstance, parts: Parts): void {
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const value = parseJsonObject(await readBody(request.raw, MAX_JSON_BYTES));
    if (!value) throw ERRORS.malformedJson();
    return value;
  });
  refuseOtherContentTypes(app, 'application/json');
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

/** JSON is UTF-8 (RFC 8259, 8.1). Invalid bytes are refused, not replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns undefined when the body is anything but one JSON object. */
function parseJsonObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
