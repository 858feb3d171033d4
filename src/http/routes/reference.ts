import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../common/version.ts';
import type { AccessMode } from '../../core/model/people/decide-access.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, rawEndpoint } from '../endpoint.ts';
import { PAGE_PORTS, type RouteAccess } from '../route-access.ts';
import { COMMON_ERRORS, shareErrors } from '../schemas.ts';

/** Collects the schemas of the routes that are added after this call, and what they declare. */
export function collectOpenApi(
  app: FastifyInstance,
  { config: { baseUrl, server, access }, brand }: HttpDependencies,
): void {
  const atBaseUrl = [{ url: baseUrl }];
  // With a management port, the reference is on it alone, and so are the routes that it can try.
  const hasTwoPorts = server.managementPort !== null;
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: brand.name,
        version: VERSION,
        description:
          'Short links to a URL, a text or uploaded files, with an expiry, an exact view limit, a password, ' +
          'and a durable audit of every attempt to open them. Unknown fields and parameters are ignored, and mostly named in ' +
          'the header X-Ignored-Fields.',
      },
      servers: hasTwoPorts ? [{ url: '/' }] : atBaseUrl,
      components: { securitySchemes: SECURITY_SCHEMES },
      tags: [
        { name: 'Links', description: 'Creating, changing, opening and revoking links' },
        {
          name: 'Uploads',
          description: 'Large files and sets of files, which are uploaded before their link',
        },
        { name: 'History', description: 'Who created, changed, opened and revoked links' },
        { name: 'Notifications', description: 'Webhooks and mails that could not be delivered' },
        { name: 'Statistics', description: 'Attempts, links and storage in figures' },
        { name: 'Sign-in', description: 'Sessions and passwords of people' },
        { name: 'People', description: 'People who sign in, and what they may do' },
        { name: 'Teams', description: 'People with whom links are shared' },
        { name: 'API keys', description: 'Keys of people and of services' },
        { name: 'Administration', description: 'Erasures, imports, backups and the key of the log' },
        { name: 'Operation', description: 'Health, metrics and settings' },
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
    transformObject: (document) =>
      'openapiObject' in document ? shareErrors(document.openapiObject) : document.swaggerObject,
  });
}

/** The endpoint of the OpenAPI document. */
export const referenceEndpoints = (): Endpoint[] => [
  rawEndpoint('GET /openapi.json', 'This document', {
    ...{ tag: 'Operation', isHidden: true, needs: 'sign-in', port: PAGE_PORTS.docs, sends: {} },
    respond: async ({ request, reply }) => reply.send(request.server.swagger()),
  }),
];

/** The ways of signing in, as the OpenAPI document names them. */
export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key. The names in an operation are the scopes that the key needs. Where the token of a link is accepted, ' +
      'a key of its owner or of a member of its team needs `create` alone.',
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
