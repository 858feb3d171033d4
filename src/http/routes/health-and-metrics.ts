import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessNeed, hasScope } from '../../core/model/people/decide-access.ts';
import type { HealthGroup } from '../../observability/health.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, rawEndpoint } from '../endpoint.ts';
import { wantsPage } from '../headers.ts';
import { sendPage } from '../pages/page.ts';
import { healthPage } from '../pages/service-pages.ts';
import { readVisitor } from '../pages/visitor.ts';
import { isOnManagementPort } from '../route-access.ts';
import { titled } from '../schemas.ts';

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

const HEALTH_GROUPS = [
  {
    ...{ path: '/actuator/health', group: 'all', needs: 'optional' },
    summary: 'Health of the service, by component',
  },
  {
    ...{ path: '/actuator/health/liveness', group: 'liveness', needs: 'nothing' },
    summary: 'Liveness: the database',
  },
  {
    ...{ path: '/actuator/health/readiness', group: 'readiness', needs: 'nothing' },
    summary: 'Readiness to serve requests: all components',
  },
] as const satisfies { path: `/${string}`; group: HealthGroup; needs: AccessNeed; summary: string }[];

const HEALTH = {
  description: 'The health document; its page for a browser',
  content: { 'application/json': { schema: HealthDocument }, 'text/html': { schema: Type.String() } },
};

/** The endpoints of health, which is 200 when UP, otherwise 503, and of metrics. */
export const operationEndpoints = (deps: HttpDependencies): Endpoint[] => [
  ...HEALTH_GROUPS.map(({ path, group, summary, needs }) =>
    rawEndpoint(`GET ${path}`, summary, {
      ...{ tag: 'Operation', needs, anyHost: true, sends: { 200: HEALTH, 503: HEALTH } },
      async respond({ request, reply }) {
        const health = await deps.observe.checkHealth(group);
        const shown = maySeeDetails(request, deps) ? health : { status: health.status };
        reply.code(health.status === 'UP' ? 200 : 503);
        if (wantsPage(request.headers.accept))
          return sendPage(reply, healthPage(readVisitor(request.headers['accept-language'], deps), shown));
        return reply.header('cache-control', 'no-store').send(shown);
      },
    }),
  ),
  rawEndpoint('GET /actuator/prometheus', 'Metrics in the text exposition format', {
    ...{ tag: 'Operation', needs: 'metrics', port: 'management', anyHost: true },
    sends: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
    async respond({ reply }) {
      await Promise.all([measureSpace(deps), measureHealth(deps)]);
      const { registry } = deps.observe.metrics;
      return reply.header('content-type', registry.contentType).send(await registry.metrics());
    },
  }),
];

/** Returns whether a client sees components: those who may read metrics do. Probes send no key. */
function maySeeDetails({ raw, caller }: FastifyRequest, deps: HttpDependencies): boolean {
  const { access } = deps.config;
  const { healthDetails, managementPort } = deps.config.server;
  if (!healthDetails || (managementPort !== null && !isOnManagementPort(raw))) return false;
  return access.mode === 'open' || hasScope(caller, 'metrics');
}

/** Measures the space. A gauge without a value is left out: 0 would mean a full disk. */
async function measureSpace({
  observe: { metrics },
  useCases: { uploadSpace },
}: HttpDependencies): Promise<void> {
  const { storageFreeBytes, storageMinFreeBytes } = metrics;
  const space = await uploadSpace.read();
  storageFreeBytes.remove();
  storageMinFreeBytes.remove();
  if (!space) return;
  storageFreeBytes.set(space.freeBytes);
  storageMinFreeBytes.set(space.minFreeBytes);
}

async function measureHealth({ observe: { metrics, checkHealth } }: HttpDependencies): Promise<void> {
  const { components } = await checkHealth('all');
  for (const [component, { status }] of Object.entries(components))
    metrics.health.set({ component }, status === 'UP' ? 1 : 0);
}
