import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Author } from '../core/model/author.ts';
import type { Holders } from '../core/model/owner.ts';
import type { Caller } from '../core/model/people/caller.ts';
import type { AccessDecision, AccessNeed } from '../core/model/people/decide-access.ts';
import type { RequestError } from './errors.ts';
import { isLocal } from './local-requests.ts';

/** The declaration of each route, so that no route is open by mistake. */
export type RouteAccess = Readonly<{
  needs: AccessNeed;
  /** The token of the link in the path, or being its owner or of its team, can replace the need. */
  ofLink?: true | undefined;
  /** Without the need, the route responds with own links, and those of own teams, alone. */
  ofOwnLinks?: true | undefined;
  /** The route decides about each link in its body, whose tokens are there too. The guard refuses only a wrong key. */
  decidesPerLink?: true | undefined;
  /** The need holds with `app.access=open` too, because the response is about people. */
  alsoWhenOpen?: true | undefined;
  port: ServingPort;
  /** The route is served under any host name: what it does needs no browser of a signed-in user. */
  anyHost?: true | undefined;
}>;

/** The access of endpoints for administrators. Their responses are about people. */
export const ADMIN = { needs: 'admin', alsoWhenOpen: true } as const;

/** The rights of a client: to a link, or to the subject of the route. `isAuthorized`: see the request. */
export type LinkRight = {
  /** Unless ALLOWED, the client may not know that there is such a link. */
  decision: AccessDecision;
  isAuthorized: boolean;
  /** True if the client may read the history, or may do what the route does with `app.access=keys`. */
  mayRead: boolean;
  mayManage: boolean;
};

/** A route with what it declares. */
export type DeclaredRoute = { method: string; url: string; access: RouteAccess };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
  interface FastifyRequest {
    /** The sender of the request, on a route that does not ignore credentials. */
    caller: Caller;
    /** True if the request would be allowed with `app.access=keys`. */
    isAuthorized: boolean;
    /** True if the request proves that its client may manage the link of its path. */
    mayManage: boolean;
    /** True if the request is under a host name for links alone. */
    isOnLinkHost: boolean;
    /** True if the link of its path belongs to the client. */
    isOwner: boolean;
    /** The author of what the request changes. */
    author: Author;
    /** Reports that a request lacks credentials. Returns the error to throw. */
    refuseAccess: (decision: Exclude<AccessDecision, 'ALLOWED'>) => RequestError;
    /** Decides what the client may know of a link, as the link is now. Each response that describes one asks this. */
    rightTo: (link: Holders & { tokenHash: string | null }) => LinkRight;
    /** Decides again, for a response that lasts. Resolves to false also when the store cannot be read. */
    isStillAllowed: () => Promise<boolean>;
  }
  interface FastifyInstance {
    /** Every route, once the application is built. */
    declaredRoutes: readonly DeclaredRoute[];
  }
}

/**
 * Collects the routes that are added from now on.
 *
 * @returns a function that checks that each has declared its access, and lists them in `app.declaredRoutes`
 */
export function collectRoutes(app: FastifyInstance): () => void {
  const added: { url: string; route: RouteOptions }[] = [];
  const declared: DeclaredRoute[] = [];
  app.decorate('declaredRoutes', declared);
  app.addHook('onRoute', (route) => void added.push({ url: route.url, route }));
  return () => {
    for (const { url, route } of added) {
      const { method, config } = route; // read late, because the scope of a plugin declares for it
      const access = config?.access;
      if (!access) throw new Error(`The route ${method} ${url} must declare its access in config.access`);
      for (const each of [method].flat()) declared.push({ method: each, url, access });
    }
  };
}

/** The port that serves a route where `app.management.port` is set. */
export type ServingPort = 'public' | 'management' | 'both';

export const PAGE_NAMES = ['create', 'links', 'link', 'dashboard', 'docs'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** The port of each page that only one of both ports serves. */
export const PAGE_PORTS = {
  create: 'public',
  links: 'public',
  link: 'public',
  dashboard: 'management',
  docs: 'management',
} as const satisfies Record<PageName, ServingPort>;

const onManagementPort = new WeakSet<IncomingMessage>();

/** Remembers that a request arrived at `app.management.port`. */
export function markOnManagementPort(request: IncomingMessage): void {
  onManagementPort.add(request);
}

/** Returns true for a request that arrived at `app.management.port`. */
export function isOnManagementPort(request: IncomingMessage): boolean {
  return onManagementPort.has(request);
}

/** Returns whether the port at which a request arrived serves what is on `port`. */
export function isServedHere(
  request: IncomingMessage,
  port: ServingPort,
  managementPort: number | null,
): boolean {
  if (managementPort === null || port === 'both' || isLocal(request)) return true;
  return (port === 'management') === isOnManagementPort(request);
}
