import type { FastifyInstance } from 'fastify';
import { parseRedirect } from '../../links/rules/creation.ts';
import { ERRORS } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { CreatedLink, errorResponses, RedirectRequest } from '../schemas.ts';
import { MAX_JSON_BYTES } from '../sizes.ts';
import { refuseContentEncoding, refuseOtherContentTypes } from './accepted-bodies.ts';
import { toCreatedLink } from './created-link.ts';

/** POST /api/links */
export function createLinkRoute(app: FastifyInstance, parts: Parts): void {
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_JSON_BYTES },
    (_, body, done) => {
      try {
        done(null, parseJsonObject(body));
      } catch (error) {
        done(error instanceof Error ? error : ERRORS.malformedJson());
      }
    },
  );
  refuseOtherContentTypes(app, 'application/json');
  app.post<{ Body: Record<string, unknown> | undefined }>(
    '/api/links',
    {
      onRequest: refuseContentEncoding,
      schema: {
        tags: ['Links'],
        summary: 'Create a link to a URL',
        body: RedirectRequest,
        response: { 201: CreatedLink, ...errorResponses(400, 413, 415, 500) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      if (body === undefined) throw ERRORS.malformedJson();
      const parsed = parseRedirect(body, parts.clock());
      if (!parsed.ok) throw ERRORS.invalidField(parsed.error);
      const { targetUrl, ...wanted } = parsed.value;
      const link = await parts.createLink(request.id, { type: 'REDIRECT', url: targetUrl }, wanted);
      return reply.code(201).send(toCreatedLink(link, wanted, parts.baseUrl));
    },
  );
}

/** JSON is UTF-8 (RFC 8259, 8.1). Invalid bytes are refused, not replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJsonObject(body: string | Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === 'string' ? body : utf8.decode(body));
  } catch {
    throw ERRORS.malformedJson();
  }
  if (!isJsonObject(value)) throw ERRORS.malformedJson();
  return value;
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
