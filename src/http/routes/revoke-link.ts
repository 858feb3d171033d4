import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { HttpDependencies } from '../dependencies.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import { ignoreBody } from '../read-body.ts';
import { errorResponses, ShortCodeParams } from '../schemas.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'Revoke a link for good',
  params: ShortCodeParams,
  response: {
    204: Type.Null({ description: 'The link is revoked' }),
    ...errorResponses(401, 403, 404, 429, 500, 503),
  },
};

/** DELETE /l/{shortCode} */
export function revokeLinkRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  ignoreBody(app);
  const config = { access: { needs: 'manage', ofLink: true, port: 'public', anyHost: true } } as const;
  const options = { schema: SCHEMA, config, onRequest: refuseBlocked };
  app.delete<{ Params: { '*': string } }>('/l/*', options, async (request, reply) => {
    const result = await deps.revokeLink(request.id, request.params['*'], request.author);
    if (result === 'not-found') return countUnknown(request);
    return reply.code(204).send();
  });
}
