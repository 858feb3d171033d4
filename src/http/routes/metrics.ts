import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { HttpDependencies } from '../dependencies.ts';
import { errorResponses } from '../schemas.ts';

/** GET /actuator/prometheus */
export function metricsRoute(
  app: FastifyInstance,
  { metrics, uploadSpace, checkHealth }: HttpDependencies,
): void {
  const { registry, health, storageFreeBytes, storageMinFreeBytes } = metrics;

  /** A gauge without a value is left out: 0 would mean a full disk. */
  async function measureSpace(): Promise<void> {
    const space = await uploadSpace.read();
    storageFreeBytes.remove();
    storageMinFreeBytes.remove();
    if (!space) return;
    storageFreeBytes.set(space.freeBytes);
    storageMinFreeBytes.set(space.minFreeBytes);
  }

  async function measureHealth(): Promise<void> {
    const { components } = await checkHealth('all');
    for (const [component, { status }] of Object.entries(components))
      health.set({ component }, status === 'UP' ? 1 : 0);
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
          ...errorResponses(401, 403, 503),
        },
      },
    },
    async (_, reply) => {
      await Promise.all([measureSpace(), measureHealth()]);
      return reply.header('content-type', registry.contentType).send(await registry.metrics());
    },
  );
}
