import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Parts } from '../parts.ts';
import { errorResponses } from '../schemas.ts';

/** GET /actuator/prometheus */
export function metricsRoute(app: FastifyInstance, { metrics: { registry } }: Parts): void {
  app.get(
    '/actuator/prometheus',
    {
      config: { access: { needs: 'metrics', port: 'management', anyHost: true } },
      schema: {
        tags: ['Operation'],
        summary: 'Metrics in the text exposition format',
        response: {
          200: { content: { 'text/plain': { schema: Type.String() } } },
          ...errorResponses(401, 403),
        },
      },
    },
    async (_, reply) => reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}
