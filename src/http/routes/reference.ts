import { join } from 'node:path';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { VERSION } from '../../version.ts';
import { readIfPresent } from '../built-pages.ts';
import type { Parts } from '../parts.ts';
import { PAGE_PORTS } from '../served-pages.ts';
import { SECURITY_SCHEMES, securityOf } from './reference-access.ts';
import { offerSignIn, sendKeyOfTab } from './reference-sign-in.ts';

/** Collects the schemas of the routes that are added after this call, and what they declare. */
export function collectOpenApi(app: FastifyInstance, { baseUrl, managementPort, access }: Parts): void {
  const atBaseUrl = [{ url: baseUrl }];
  // With a management port, the reference is on it alone, and so are the routes that it can try.
  const hasTwoPorts = managementPort !== null;
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Postern',
        version: VERSION,
        description:
          'Short links to a URL or an uploaded file, with an expiry, an exact view limit, a password, ' +
          'and a durable audit of every attempt to open them.',
      },
      servers: hasTwoPorts ? [{ url: '/' }] : atBaseUrl,
      components: { securitySchemes: SECURITY_SCHEMES },
      tags: [
        { name: 'Links', description: 'Creating, opening and revoking links' },
        { name: 'History', description: 'Who created, opened and revoked links' },
        { name: 'Notifications', description: 'Webhooks and mails that could not be delivered' },
        { name: 'Statistics', description: 'Figures from the audit, by time, by result and by link' },
        { name: 'Operation', description: 'Health and metrics' },
      ],
    },
    transform: ({ schema, url, route }) => {
      const declared = route.config?.access;
      const security = declared && securityOf(declared, access.mode);
      const isElsewhere = hasTwoPorts && declared?.port === 'public';
      return {
        schema: { ...schema, ...(security && { security }), ...(isElsewhere && { servers: atBaseUrl }) },
        url: url === '/l/*' ? '/l/:shortCode' : url,
      };
    },
  });
}

/** GET /openapi.json and /docs, which shows it with its own assets */
export function referenceRoutes(app: FastifyInstance, { pagesDirectory, brand }: Parts): void {
  const document = { access: { needs: 'sign-in', port: PAGE_PORTS.docs } } as const;
  const page = { access: { needs: 'nothing', port: PAGE_PORTS.docs } } as const;
  app.get('/openapi.json', { schema: { hide: true }, config: document }, () => app.swagger());
  app.addHook('onRoute', (route) => {
    route.config ??= /\/(json|yaml)$/.test(route.url) ? document : page;
  });
  app.addHook('onSend', fitPhones);
  app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // No foreign origins, and no upgrade to HTTPS, because the service may run on plain HTTP.
    transformStaticCSP: (policy) =>
      policy.replaceAll(/ (https:|validator\.swagger\.io)/g, '').replace(/ upgrade-insecure-requests;/, ''),
    uiConfig: {
      layout: 'BaseLayout',
      deepLinking: true,
      tryItOutEnabled: true,
      validatorUrl: null,
      requestInterceptor: sendKeyOfTab,
      responseInterceptor: offerSignIn,
    },
    theme: {
      title: `${brand.name}: API reference`,
      css: [{ filename: 'reference.css', content: readStyle(pagesDirectory) + (brand.style?.text ?? '') }],
      js: [{ filename: 'scheme.js', content: FOLLOW_SCHEME }],
    },
  });
}

/** Returns the built style sheet; empty where the pages were not built. */
function readStyle(directory: string | undefined): string {
  return (directory && readIfPresent(join(directory, 'reference/reference.css'))) ?? '';
}

/** Sets the class by which the viewer is dark, as the system is. */
const FOLLOW_SCHEME = `
const scheme = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', scheme.matches);
scheme.addEventListener('change', follow);
follow();
`;

/** The document of the library has no viewport, so phones would show it as wide as a desktop. */
const fitPhones: onSendHookHandler = (_, reply, payload, done) => {
  const isPage =
    String(reply.getHeader('content-type')).startsWith('text/html') && typeof payload === 'string';
  done(null, isPage ? payload.replace('<head>', `<head>${VIEWPORT}`) : payload);
};
const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';
