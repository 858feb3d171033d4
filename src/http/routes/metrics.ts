import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Parts } from '../parts.ts';
import { errorResponses } from '../schemas.ts';

/** GET /actuator/prometheus */
export function metricsRoute(app: FastifyInstance, { metrics, uploadSpace, findProblems }: Parts): void {
  const { registry, storageFreeBytes, storageMinFreeBytes } = metrics;

  /** A gauge without a value is left out: 0 would mean a full disk. */
  async function measureSpace(): Promise<void> {
    const space = await uploadSpace.read();
    storageFreeBytes.remove();
    storageMinFreeBytes.remove();
    if (!space) return;
    storageFreeBytes.set(space.freeBytes);
    storageMinFreeBytes.set(space.minFreeBytes);
  }

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
    async (_, reply) => {
      await Promise.all([measureSpace(), findProblems()]);
      return reply.header('content-type', registry.contentType).send(await registry.metrics());
    },
  );
}
