import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { errorResponses, RedirectResolution, ResolveHeaders, ShortCodeParams } from '../schemas.ts';
import type { Visit } from '../visit.ts';

/** GET /l/{shortCode}, and HEAD, which never spends a view: what the framework knows of them. */
export function resolveLinkRoute(app: FastifyInstance, visit: Visit): void {
  app.route({
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
    handler: (request, reply) => {
      reply.hijack();
      request.raw.url = request.originalUrl; // as it was before it was made routable
      visit(request.raw, reply.raw, corsHeaders(reply));
    },
  });
}

/** What the framework's CORS has set for this answer, names and values in turn. */
function corsHeaders(reply: FastifyReply): string[] {
  return Object.entries(reply.getHeaders())
    .filter(([name]) => name === 'vary' || name.startsWith('access-control-'))
    .flatMap(([name, value]) => [name, String(value)]);
}
