import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { DENIALS, RequestError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { errorResponses, ShortCodeParams } from '../schemas.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'Revoke a link for good',
  params: ShortCodeParams,
  response: {
    204: Type.Null({ description: 'The link is revoked, now or before' }),
    ...errorResponses(404, 500),
  },
};

/** DELETE /l/{shortCode} */
export function revokeLinkRoute(app: FastifyInstance, parts: Parts): void {
  // No body is asked for; whatever a client sends nevertheless is passed over, whatever it calls it.
  app.addHook('onRequest', (request, _, done) => {
    delete request.headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume();
    done(null);
  });
  app.delete<{ Params: { '*': string } }>('/l/*', { schema: SCHEMA }, async (request, reply) => {
    const result = await parts.revokeLink(request.id, request.params['*']);
    if (result === 'not-found') throw new RequestError(DENIALS.NOT_FOUND.status, DENIALS.NOT_FOUND.message);
    return reply.code(204).send();
  });
}
