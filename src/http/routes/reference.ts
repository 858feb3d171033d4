import { join } from 'node:path';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { AccessMode } from '../../access/decide-access.ts';
import { VERSION } from '../../version.ts';
import { readIfPresent, sendWholeFiles } from '../built-pages.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { codesOf } from '../errors.ts';
import { brandMark, html } from '../pages/page.ts';
import { PAGE_PORTS, type RouteAccess } from '../route-access.ts';
import { errorRecord } from '../schemas.ts';
import { offerSignIn, sendKeyOfTab } from './reference-sign-in.ts';

/** The errors that any request can get before it reaches its route. */
const COMMON_ERRORS = {
  description:
    'What any request can get: 400 if it is malformed, 405 for another method, 408 if it arrives too slowly, 417 for ' +
    'another Expect than 100-continue, 421 for an unknown host, 431 for headers over 32 KiB, 503 for too many connections',
  content: {
    'application/json': {
      schema: errorRecord([
        ...(['MALFORMED_REQUEST', 'MALFORMED_HOST', 'SEVERAL_CREDENTIALS', 'TOO_MANY_CONNECTIONS'] as const),
        ...[405, 408, 417, 421, 431].flatMap(codesOf),
      ]),
    },
  },
};

/** Collects the schemas of the routes that are added after this call, and what they declare. */
export function collectOpenApi(
  app: FastifyInstance,
  { baseUrl, managementPort, access, brand }: HttpDependencies,
): void {
  const atBaseUrl = [{ url: baseUrl }];
  // With a management port, the reference is on it alone, and so are the routes that it can try.
  const hasTwoPorts = managementPort !== null;
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: brand.name,
        version: VERSION,
        description:
          'Short links to a URL or an uploaded file, with an expiry, an exact view limit, a password, ' +
          'and a durable audit of every attempt to open them. Unknown fields and parameters are ignored, and named in ' +
          'the header X-Ignored-Fields; a misspelt one is refused.',
      },
      servers: hasTwoPorts ? [{ url: '/' }] : atBaseUrl,
      components: { securitySchemes: SECURITY_SCHEMES },
      tags: [
        { name: 'Links', description: 'Creating, opening and revoking links' },
        {
          name: 'Uploads',
          description: 'Large files and sets of files, which are uploaded before their link',
        },
        { name: 'History', description: 'Who created, opened and revoked links' },
        { name: 'Notifications', description: 'Webhooks and mails that could not be delivered' },
        { name: 'Statistics', description: 'Figures from the audit, by time, by result and by link' },
        { name: 'Sign-in', description: 'Sessions and passwords of people' },
        { name: 'People', description: 'People who sign in, and what they may do' },
        { name: 'Teams', description: 'People with whom links are shared' },
        { name: 'API keys', description: 'Keys of people and of services' },
        { name: 'Operation', description: 'Health and metrics' },
      ],
    },
    transform: ({ schema, url, route }) => {
      const declared = route.config?.access;
      const security = declared && securityOf(declared, access.mode);
      const isElsewhere = hasTwoPorts && declared?.port === 'public';
      return {
        schema: {
          ...schema,
          response: { ...Object(schema.response), default: COMMON_ERRORS },
          ...(security && { security }),
          ...(isElsewhere && { servers: atBaseUrl }),
        },
        url: url === '/l/*' ? '/l/:shortCode' : url,
      };
    },
  });
}

/** GET /openapi.json and /docs, which shows it with its own assets */
export function referenceRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  const { pagesDirectory, brand } = deps;
  const document = { access: { needs: 'sign-in', port: PAGE_PORTS.docs } } as const;
  const page = { access: { needs: 'nothing', port: PAGE_PORTS.docs } } as const;
  app.get('/openapi.json', { schema: { hide: true }, config: document }, () => app.swagger());
  app.addHook('onRoute', (route) => {
    route.config ??= /\/(json|yaml)$/.test(route.url) ? document : page;
  });
  sendWholeFiles(app);
  app.addHook('onSend', prepareFrame(deps));
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
      title: html`${brand.name}: API reference`.markup,
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

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';
const VIEWER = '<div id="swagger-ui"></div>';

/**
 * Returns a hook that adds what the document of the library lacks: a viewport, without which phones show it as wide as a
 * desktop, and the header of all pages.
 */
function prepareFrame({ brand, managementPort }: HttpDependencies): onSendHookHandler {
  const home = managementPort === null ? '' : 'dashboard';
  const mark = brandMark(brand);
  return ({ url }, reply, payload, done) => {
    const isPage =
      String(reply.getHeader('content-type')).startsWith('text/html') && typeof payload === 'string';
    if (!isPage) return done(null, payload);
    const depth = url.replace(/\?.*/s, '').split('/').length - 2; // 0 at /docs, 1 at /docs/
    const href = `${'../'.repeat(depth)}${home}` || './';
    const header = html`<header class="site-header"><a class="brand" href="${href}">${mark}</a></header>`
      .markup;
    const framed = payload
      .replace('<head>', () => `<head>${VIEWPORT}`)
      .replace(VIEWER, () => `${header}${VIEWER}`);
    return done(null, framed);
  };
}

/** The ways of signing in, as the OpenAPI document names them. */
export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key. The names in an operation are the scopes that the key needs. Where the token of a link is accepted, ' +
      'the key that created the link needs none.',
  },
  LinkToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Link-Token',
    description: 'The token that the creation of the link returned, in place of an API key',
  },
} as const;

/** One way of having access: scopes by scheme. An empty one stands for access without credentials. */
export type SecurityRequirement = Partial<Record<keyof typeof SECURITY_SCHEMES, string[]>>;

/** Returns the ways of having access to a route, or undefined for a route that ignores credentials. */
export function securityOf(
  { needs, ofLink, alsoWhenOpen }: RouteAccess,
  mode: AccessMode,
): SecurityRequirement[] | undefined {
  if (needs === 'nothing') return undefined;
  const isScope = needs !== 'optional' && needs !== 'sign-in';
  return [
    ...((mode === 'open' && !alsoWhenOpen) || needs === 'optional' ? [{}] : []),
    { ApiKey: isScope ? [needs] : [] },
    ...(ofLink ? [{ LinkToken: [] }] : []),
  ];
}
