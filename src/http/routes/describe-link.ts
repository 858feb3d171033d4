import type { FastifyInstance } from 'fastify';
import { formatInstant } from '../../links/rules/expiry-time.ts';
import { toHeadRecord } from '../history-items.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import type { Parts } from '../parts.ts';
import { errorResponses, LinkDescription, ShortCodeParams } from '../schemas.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'Describe a link without opening it',
  description: 'Spends no view, writes no audit record, and never shows the target.',
  params: ShortCodeParams,
  response: { 200: LinkDescription, ...errorResponses(401, 403, 404, 429, 500) },
};

/** GET /api/links/{shortCode} */
export function describeLinkRoute(app: FastifyInstance, parts: Parts): void {
  const { describeLink, baseUrl } = parts;
  const { refuseBlocked, countUnknown } = limitUnknownCodes(parts);
  app.get<{ Params: { shortCode: string } }>(
    '/api/links/:shortCode',
    {
      schema: SCHEMA,
      config: { access: { needs: 'read', orLinkToken: true, port: 'public' } },
      onRequest: refuseBlocked,
    },
    async (request, reply) => {
      const link = await describeLink(request.params.shortCode);
      if (!link) return countUnknown(request);
      const { history, ...shown } = link;
      return reply.header('cache-control', 'no-store').send({
        ...shown,
        ...(request.isAuthorized && toHeadRecord(history)),
        accessUrl: `${baseUrl}/l/${link.shortCode}`,
        expiresAt: link.expiresAt === null ? null : formatInstant(link.expiresAt),
        createdAt: formatInstant(link.createdAt),
      });
    },
  );
}
