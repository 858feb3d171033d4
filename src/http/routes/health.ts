import type { FastifyInstance } from 'fastify';
import type { HealthGroup } from '../../observability/health.ts';
import type { Parts } from '../parts.ts';
import { HealthDocument } from '../schemas.ts';

const PATHS = {
  '/actuator/health': { group: 'all', summary: 'Health of the service, by component' },
  '/actuator/health/liveness': { group: 'liveness', summary: 'Liveness: the database' },
  '/actuator/health/readiness': {
    group: 'readiness',
    summary: 'Readiness to serve requests: all components',
  },
} as const satisfies Record<string, { group: HealthGroup; summary: string }>;

/** GET /actuator/health and its two groups: 200 when UP, otherwise 503 */
export function healthRoutes(app: FastifyInstance, { checkHealth, healthDetails }: Parts): void {
  for (const [path, { group, summary }] of Object.entries(PATHS)) {
    app.get(
      path,
      { schema: { tags: ['Operation'], summary, response: { 200: HealthDocument, 503: HealthDocument } } },
      async (_, reply) => {
        const health = await checkHealth(group);
        return reply
          .code(health.status === 'UP' ? 200 : 503)
          .header('cache-control', 'no-store')
          .send(healthDetails ? health : { status: health.status });
      },
    );
  }
}
