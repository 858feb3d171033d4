import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Parts } from '../../app.ts';
import type { Purpose } from '../../links/attempt.ts';
import { decodePasswordHeader } from '../../links/rules/link-password.ts';
import { clientOf } from '../request-context.ts';
import { errorResponses, RedirectResolution, ResolveHeaders, ShortCodeParams } from '../schemas.ts';
import { sendResolution } from '../send-resolution.ts';

/** GET /l/{shortCode}, and HEAD, which never spends a view */
export function resolveLinkRoute(app: FastifyInstance, parts: Parts): void {
  const resolve = prepareResolve(parts);
  // Whatever follows /l/ stands in the place of the short code, also with slashes in it.
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/l/*',
    schema: {
      tags: ['Links'],
      summary: 'Open a link',
      description:
        'Decides the attempt, records it durably, and only then answers. HEAD, and a GET with `Sec-Purpose: prefetch`, ' +
        'tell the status without spending a view.',
      params: ShortCodeParams,
      headers: ResolveHeaders,
      response: {
        200: {
          description: 'The target as JSON, or the file',
          content: {
            'application/json': { schema: RedirectResolution },
            'application/octet-stream': { schema: Type.String({ format: 'binary' }) },
          },
        },
        302: { description: 'The target is in the header Location', type: 'null' },
        ...errorResponses(401, 404, 410, 500),
      },
    },
    handler: (request, reply) => resolve(request, reply, request.params['*']),
  });
}

/** Resolves the link of one request, whose short code the caller has read, and answers it. */
export function prepareResolve(parts: Parts) {
  return async (request: FastifyRequest, reply: FastifyReply, shortCode: string): Promise<FastifyReply> => {
    const resolution = await parts.resolveLink(request.id, {
      shortCode,
      password: decodePasswordHeader(passwordHeader(request)),
      purpose: purposeOf(request),
      ...clientOf(request),
    });
    return sendResolution(request, reply, resolution);
  };
}

function passwordHeader(request: FastifyRequest): string | undefined {
  const value = request.headers['x-link-password'];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** "HEAD, and a prefetch (`Sec-Purpose: prefetch`), never spends a view and never shows a target." */
function purposeOf(request: FastifyRequest): Purpose {
  const purpose = request.headers['sec-purpose'];
  const isPrefetch = typeof purpose === 'string' && /\bprefetch\b/i.test(purpose);
  return request.method === 'HEAD' || isPrefetch ? 'PREVIEW' : 'OPEN';
}
