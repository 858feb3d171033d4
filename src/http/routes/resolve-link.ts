import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ERRORS } from '../errors.ts';
import {
  errorResponses,
  RedirectResolution,
  ResolveHeaders,
  ShortCodeParams,
  VisitForm,
} from '../schemas.ts';
import type { Visit } from '../visit.ts';

const OPENED = {
  description: 'The target as JSON, or the file',
  content: {
    'application/json': { schema: RedirectResolution },
    'application/octet-stream': { schema: Type.String({ format: 'binary' }) },
  },
};

/** GET /l/{shortCode}, HEAD, which never spends a view, and POST: what the framework knows of them. */
export function resolveLinkRoute(app: FastifyInstance, visit: Visit): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/l/*',
    schema: {
      tags: ['Links'],
      summary: 'Open a link',
      description:
        'Decides the attempt, records it durably, and only then answers. HEAD, and a GET with `Sec-Purpose: prefetch`, ' +
        'tell the status without spending a view; so does a GET of a link with `confirm`, which answers with a page, unless it ' +
        'asks for JSON or brings a password.',
      params: ShortCodeParams,
      headers: ResolveHeaders,
      response: {
        200: OPENED,
        302: { description: 'The target is in the header Location', type: 'null' },
        ...errorResponses(401, 404, 410, 500),
      },
    },
    handler,
  });
  // The form is read on the way of all visits.
  app.addContentTypeParser('*', (_, __, done) => done(null));
  app.setErrorHandler<FastifyError>((error) => {
    throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      ? ERRORS.unsupportedContentType('application/x-www-form-urlencoded')
      : error;
  });
  app.post('/l/*', {
    bodyLimit: Number.MAX_SAFE_INTEGER,
    schema: {
      tags: ['Links'],
      summary: 'Open a link from a form',
      description:
        'What the pages of the service send: the same checks as of GET, with the password in a form. A form that a page of ' +
        'another origin sends is refused.',
      consumes: ['application/x-www-form-urlencoded'],
      params: ShortCodeParams,
      body: VisitForm,
      response: {
        200: OPENED,
        303: { description: 'The target is in the header Location', type: 'null' },
        ...errorResponses(400, 401, 403, 404, 410, 413, 415, 500),
      },
    },
    handler,
  });

  function handler(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    request.raw.url = request.originalUrl; // as it was before it was made routable
    visit(request.raw, reply.raw, corsHeaders(reply));
  }
}

/** What the framework's CORS has set for this answer, names and values in turn. */
function corsHeaders(reply: FastifyReply): string[] {
  return Object.entries(reply.getHeaders())
    .filter(([name]) => name === 'vary' || name.startsWith('access-control-'))
    .flatMap(([name, value]) => [name, String(value)]);
}
