import type { FastifyInstance } from 'fastify';
import { DENIALS, RequestError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { errorResponses, LinkDescription, ShortCodeParams } from '../schemas.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'Tell of a link without opening it',
  description: 'Spends no view, writes no record, and never tells the target.',
  params: ShortCodeParams,
  response: { 200: LinkDescription, ...errorResponses(404, 500) },
};

/** GET /api/links/{shortCode} */
export function describeLinkRoute(app: FastifyInstance, { describeLink, baseUrl }: Parts): void {
  app.get<{ Params: { shortCode: string } }>(
    '/api/links/:shortCode',
    { schema: SCHEMA },
    async (request, reply) => {
      const link = await describeLink(request.params.shortCode);
      if (!link) throw new RequestError(DENIALS.NOT_FOUND.status, DENIALS.NOT_FOUND.message);
      const { expiresAt, createdAt, ...told } = link;
      return reply.header('cache-control', 'no-store').send({
        ...told,
        accessUrl: `${baseUrl}/l/${link.shortCode}`,
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        createdAt: new Date(createdAt).toISOString(),
      });
    },
  );
}
