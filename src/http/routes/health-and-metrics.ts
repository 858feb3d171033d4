import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessNeed, hasScope } from '../../core/model/people/decide-access.ts';
import type { HealthGroup } from '../../observability/health.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { wantsPage } from '../headers.ts';
import { sendPage } from '../pages/page.ts';
import { healthPage } from '../pages/service-pages.ts';
import { readVisitor } from '../pages/visitor.ts';
import { isOnManagementPort } from '../route-access.ts';
import { errorResponses, titled } from '../schemas.ts';

const HealthStatus = Type.Enum(['UP', 'DOWN', 'OUT_OF_SERVICE']);

const HealthDocument = titled('Health', {
  status: HealthStatus,
  components: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ status: HealthStatus, details: Type.Record(Type.String(), Type.Unknown()) }),
    ),
  ),
});

const PATHS = {
  '/actuator/health': {
    group: 'all',
    summary: 'Health of the service, by component',
    needs: 'optional',
  },
  '/actuator/health/liveness': { group: 'liveness', summary: 'Liveness: the database', needs: 'nothing' },
  '/actuator/health/readiness': {
    group: 'readiness',
    summary: 'Readiness to serve requests: all components',
    needs: 'nothing',
  },
} as const satisfies Record<string, { group: HealthGroup; summary: string; needs: AccessNeed }>;

const HEALTH = {
  description: 'The health document; its page for a browser',
  content: { 'application/json': { schema: HealthDocument }, 'text/html': { schema: Type.String() } },
};

/** GET /actuator/health and its two groups: 200 when UP, otherwise 503; a page for a browser */
export function healthRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  const { checkHealth } = deps;
  for (const [path, { group, summary, needs }] of Object.entries(PATHS))
    app.get(
      path,
      {
        schema: {
          tags: ['Operation'],
          summary,
          response: { 200: HEALTH, 503: HEALTH, ...(needs === 'optional' && errorResponses(401)) },
        },
        config: { access: { needs, port: 'both', anyHost: true } },
      },
      async (request, reply) => {
        const health = await checkHealth(group);
        const shown = maySeeDetails(request, deps) ? health : { status: health.status };
        reply.code(health.status === 'UP' ? 200 : 503);
        if (wantsPage(request.headers.accept))
          return sendPage(reply, healthPage(readVisitor(request.headers['accept-language'], deps), shown));
        return reply.header('cache-control', 'no-store').send(shown);
      },
    );
}

/** Returns whether a client sees components: those who may read metrics do. Probes send no key. */
function maySeeDetails({ raw, caller }: FastifyRequest, deps: HttpDependencies): boolean {
  const { healthDetails, managementPort, access } = deps;
  if (!healthDetails || (managementPort !== null && !isOnManagementPort(raw))) return false;
  return access.mode === 'open' || hasScope(caller, 'metrics');
}

/** GET /actuator/prometheus */
export function metricsRoute(
  app: FastifyInstance,
  { metrics, uploadSpace, checkHealth }: HttpDependencies,
): void {
  const { registry, health, storageFreeBytes, storageMinFreeBytes } = metrics;

  /** Measures the space. A gauge without a value is left out: 0 would mean a full disk. */
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
          ...errorResponses(401, 403, 500, 503),
        },
      },
    },
    async (_, reply) => {
      await Promise.all([measureSpace(), measureHealth()]);
      return reply.header('content-type', registry.contentType).send(await registry.metrics());
    },
  );
}
