import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../version.ts';

/** Collects the schemas of the routes that are added after it. */
export function collectOpenApi(app: FastifyInstance, baseUrl: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Postern',
        version: VERSION,
        description:
          'Short links to a URL or an uploaded file that expire, count their views exactly, ask for a password, ' +
          'and keep a durable record of every attempt to open them.',
      },
      servers: [{ url: baseUrl }],
      tags: [
        { name: 'Links', description: 'Creating, opening and revoking links' },
        { name: 'Statistics', description: 'What the audit says, by time, by result and by link' },
        { name: 'Operation', description: 'Health and metrics' },
      ],
    },
    transform: ({ schema, url }) => ({ schema, url: url === '/l/*' ? '/l/:shortCode' : url }),
  });
}

/** GET /openapi.json, and /docs, which shows it with assets of its own */
export function referenceRoutes(app: FastifyInstance): void {
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // Nothing from elsewhere, and no upgrade to https where the service is reached by http.
    transformStaticCSP: (policy) =>
      policy.replaceAll(/ (https:|validator\.swagger\.io)/g, '').replace(/ upgrade-insecure-requests;/, ''),
    uiConfig: { layout: 'BaseLayout', deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
    theme: { title: 'Postern: reference' },
  });
}
