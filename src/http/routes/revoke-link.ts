import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { linkNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { errorResponses, LinkTokenHeaders, ShortCodeParams } from '../schemas.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'Revoke a link for good',
  params: ShortCodeParams,
  headers: LinkTokenHeaders,
  response: {
    204: Type.Null({ description: 'The link is revoked' }),
    ...errorResponses(401, 403, 404, 500),
  },
};

/** DELETE /l/{shortCode} */
export function revokeLinkRoute(app: FastifyInstance, parts: Parts): void {
  // The request has no body; one that a client sends anyway is discarded.
  app.addHook('onRequest', (request, _, done) => {
    delete request.headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume();
    done(null);
  });
  const config = { access: { needs: 'manage', orLinkToken: true, port: 'public', anyHost: true } } as const;
  app.delete<{ Params: { '*': string } }>('/l/*', { schema: SCHEMA, config }, async (request, reply) => {
    const result = await parts.revokeLink(request.id, request.params['*'], request.author);
    if (result === 'not-found') throw linkNotFound();
    return reply.code(204).send();
  });
}
