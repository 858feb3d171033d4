import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { isServedHere, PAGE_NAMES, PAGE_PORTS, type PageName } from '../route-access.ts';
import { errorResponses, Settings as SettingsSchema } from '../schemas.ts';

type Settings = Static<typeof SettingsSchema>;

const SCHEMA = {
  tags: ['Operation'],
  summary: 'Settings that clients depend on, and who the request comes from',
  description: 'Open to everyone. `caller` shows whether a key is valid, and what it may do.',
  response: { 200: SettingsSchema, ...errorResponses(401, 500, 503) },
};

/** GET /api/settings */
export function settingsRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const { access, linkPolicy, maxFileBytes, managementPort } = deps;
  const pagesOf = (request: IncomingMessage): PageName[] =>
    PAGE_NAMES.filter((name) => isServedHere(request, PAGE_PORTS[name], managementPort));
  app.get(
    '/api/settings',
    { schema: SCHEMA, config: { access: { needs: 'optional', port: 'both' } } },
    async ({ caller, raw }, reply) => {
      const settings: Settings = {
        access: {
          mode: access.mode,
          caller: caller.kind === 'ANONYMOUS' ? null : { ...caller, scopes: [...caller.scopes] },
        },
        notify: notifyOptionsOf(caller, deps),
        pages: pagesOf(raw),
        maxFileBytes,
        links: {
          ...linkPolicy,
          defaultTtl: shortest([deps.defaultTtl, linkPolicy.maxTtl], deps.clock()),
          maxTtl: linkPolicy.maxTtl?.toString() ?? null,
        },
      };
      return reply.header('cache-control', 'no-store').send(settings);
    },
  );
}

/** Returns which notifications a link of this caller may have. */
function notifyOptionsOf(caller: Caller, { mailPolicy, notifyPolicy }: HttpDependencies): Settings['notify'] {
  const isAuthorized = caller.kind !== 'ANONYMOUS' && caller.scopes.includes('create');
  const { recipients, isAllowed } = mailPolicy(isAuthorized);
  return {
    email: recipients.length > 0 && isAllowed,
    url: notifyPolicy(isAuthorized).refusal === null,
  };
}

/** Returns the lifetime that ends first if it begins now; null if there is none. */
function shortest(lifetimes: (Temporal.Duration | null)[], now: number): string | null {
  const relativeTo = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC');
  const [first] = lifetimes
    .filter((lifetime) => lifetime !== null)
    .sort((a, b) => Temporal.Duration.compare(a, b, { relativeTo }));
  return first?.toString() ?? null;
}
