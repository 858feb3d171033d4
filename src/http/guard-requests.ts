import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toPlainAddress } from '../core/model/ip-address.ts';
import { toLocation } from '../core/model/location.ts';
import { formatOwner, type Holders, relationOf } from '../core/model/owner.ts';
import { ANONYMOUS, authorOf, type Caller } from '../core/model/people/caller.ts';
import {
  type AccessDecision,
  type AccessMode,
  decideAccess,
  hasScope,
  holderOf,
  type Proof,
} from '../core/model/people/decide-access.ts';
import { canBeLinkToken, tokenMatches } from '../core/model/people/link-token.ts';
import { DatabaseUnavailableError } from '../core/model/unavailable.ts';
import type { PersonStore } from '../core/ports/people.ts';
import { parsePersonName } from '../core/rules/people-bodies.ts';
import type { AccessDenial } from '../observability/metrics.ts';
import { reportAccessDenial } from '../observability/observe.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS, type RequestError } from './errors.ts';
import { decodeHeaderText, hasSeveral } from './headers.ts';
import { isLocal, localCaller } from './local-requests.ts';
import { pathOf } from './path.ts';
import {
  isCrossSite,
  isUnsafe,
  prepareCheckHost,
  prepareClientAddress,
  prepareFindLinkHost,
  prepareIsTrusted,
} from './request-origin.ts';
import { isServedHere, type LinkRight, type RouteAccess } from './route-access.ts';
import { isFromOwnPage, prepareSessionCookie } from './session-cookie.ts';

/** An unknown path gets its 404 from the framework. */
const UNKNOWN_PATH: RouteAccess = { needs: 'nothing', port: 'both' };

/** Refuses, before its body is read, each request of the framework that its route's declaration does not allow. */
export function guardRequests(app: FastifyInstance, deps: HttpDependencies): void {
  const { access: settings, baseUrl, hosts, allowedHosts, server } = deps.config;
  const checkHost = prepareCheckHost(baseUrl, allowedHosts);
  const findLinkHost = prepareFindLinkHost(hosts, allowedHosts);
  const prove = prepareProve(deps);
  const addressOf = prepareClientAddress(deps);
  app.decorateRequest('caller');
  app.decorateRequest('author');
  app.decorateRequest('isAuthorized', false);
  app.decorateRequest('mayManage', false);
  app.decorateRequest('isOnLinkHost', false);
  app.decorateRequest('isOwner', false);
  app.decorateRequest('rightTo');
  app.decorateRequest('isStillAllowed');

  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    const ipAddress = addressOf(raw);
    const access = request.routeOptions.config.access ?? UNKNOWN_PATH;
    const anyHost = access.anyHost || isLocal(raw);
    const ofLinks = anyHost ? undefined : findLinkHost(raw);
    if (ofLinks && pathOf(raw) === '/' && ofLinks.root !== null) return redirectTo(ofLinks.root, reply);
    request.isOnLinkHost = ofLinks?.hasPages === false;
    if (request.isOnLinkHost) return reply.callNotFound();
    const host = anyHost ? 'OWN' : checkHost(raw);
    if (host === 'MALFORMED') throw ERRORS.malformedHost();
    if (host !== 'OWN') throw ERRORS.misdirectedRequest(host.foreign);
    if (isUnsafe(raw) && isCrossSite(raw, baseUrl, server.corsAllowedOrigins))
      throw ERRORS.crossSiteRequest();
    if (!isServedHere(raw, access.port, server.managementPort)) throw ERRORS.noSuchPath();

    const proof = access.needs === 'nothing' ? NO_PROOF : await prove(request, access);
    const { decision, isAuthorized, mayManage } = rightBy(proof, access);
    request.isAuthorized = isAuthorized;
    request.mayManage = mayManage;
    request.isOwner = proof.relation === 'OWNER';
    request.rightTo = (link) => rightBy(relate(request, proof, link), access);
    request.isStillAllowed = async () => {
      const now = await prove(request, access).catch(() => undefined);
      return now !== undefined && rightBy(now, access).decision === 'ALLOWED';
    };
    request.caller = signedIn(proof.caller);
    request.author = authorOf(request.caller, proof.linkToken === 'MATCHES', ipAddress);
    request.refuseAccess = (decision) => refuse(request, access, decision);
    if (decision === 'ALLOWED' || (access.decidesPerLink && decision !== 'INVALID_KEY')) return;
    throw refuse(request, access, decision);
  });

  function refuse(
    { id, method, routeOptions, author }: FastifyRequest,
    access: RouteAccess,
    decision: keyof typeof REFUSALS,
  ): RequestError {
    const { reason, toError } = REFUSALS[decision];
    const uri = routeOptions.url ?? '';
    reportAccessDenial(deps.observe, { correlationId: id, method, uri, reason, author });
    return toError(access, settings.mode);
  }

  function rightBy(proof: Proof, { needs, alsoWhenOpen }: RouteAccess): LinkRight {
    const withKeys = decideAccess('keys', needs, proof);
    return {
      decision: alsoWhenOpen ? withKeys : decideAccess(settings.mode, needs, proof),
      isAuthorized: withKeys === 'ALLOWED',
      mayRead: withKeys === 'ALLOWED' || decideAccess('keys', 'read', proof) === 'ALLOWED',
      mayManage: decideAccess('keys', 'manage', proof) === 'ALLOWED',
    };
  }
}

function redirectTo(root: string, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache').redirect(toLocation(root));
}

/** Prepares finding what a request proves: whose it is, and whether it has the token of the link of its path. */
function prepareProve(deps: HttpDependencies) {
  const identify = prepareIdentifyCaller(deps);

  return async (request: FastifyRequest, access: RouteAccess): Promise<Proof> => {
    const { raw, headers } = request;
    const caller = await identify(raw);
    // An invalid key ends the request without a lookup of the link.
    if (caller === 'INVALID_KEY') return { ...NO_PROOF, caller };
    const holder = holderOf(caller);
    if (access.ofOwnLinks) return { ...NO_PROOF, caller, relation: holder.owner === null ? 'NONE' : 'OWNER' };
    if (!access.ofLink) return { ...NO_PROOF, caller };
    const token = sentToken(headers);
    const isNeeded = needsLink(caller, token, access);
    const link = isNeeded ? await deps.stores.read(shortCodeIn(request) ?? '') : undefined;
    const proof = link ? relate(request, { caller }, link) : { ...NO_PROOF, caller };
    const isForeign = token !== undefined && proof.linkToken === 'NONE';
    return isForeign ? { ...proof, linkToken: 'FOREIGN' } : proof;
  };
}

/** Returns what a request proves about a link. A token of another link, such as that of the path, proves nothing. */
function relate(
  { headers, routeOptions }: FastifyRequest,
  { caller }: Pick<Proof, 'caller'>,
  link: Holders & { tokenHash: string | null },
): Proof {
  const token = routeOptions.config.access?.ofLink ? sentToken(headers) : undefined;
  const holder = holderOf(signedIn(caller));
  const linkToken = tokenMatches(token, link.tokenHash) ? 'MATCHES' : 'NONE';
  return { caller, relation: relationOf(holder, link), linkToken };
}

const sentToken = ({ 'x-link-token': sent }: FastifyRequest['headers']): string | undefined =>
  sent === undefined ? undefined : String(sent);

/** Returns whether the link can make a difference: for what can be a token, and one who may not do all without it. */
function needsLink(caller: Caller, token: string | undefined, { needs }: RouteAccess): boolean {
  if (token !== undefined) return canBeLinkToken(token);
  if (holderOf(caller).owner === null) return false;
  return !hasScope(caller, 'manage') || (needs === 'read' && !hasScope(caller, 'read'));
}

const NO_PROOF: Proof = { caller: ANONYMOUS, relation: 'NONE', linkToken: 'NONE' };

const signedIn = (caller: Proof['caller']): Caller => (caller === 'INVALID_KEY' ? ANONYMOUS : caller);

type Refusal = { reason: AccessDenial; toError: (access: RouteAccess, mode: AccessMode) => RequestError };

/** An unknown short code and a token of another link get the same response, which confirms no short code. */
const REFUSALS = {
  INVALID_KEY: { reason: 'invalid_key', toError: ERRORS.invalidKey },
  FOREIGN_TOKEN: {
    reason: 'foreign_token',
    toError: ({ alsoWhenOpen }, mode) =>
      mode === 'open' && !alsoWhenOpen ? ERRORS.needlessLinkToken() : ERRORS.foreignLinkToken(),
  },
  SIGN_IN_REQUIRED: {
    reason: 'sign_in_required',
    toError: ({ needs, ofLink, decidesPerLink, alsoWhenOpen }) => {
      if (!alsoWhenOpen || needs === 'sign-in') return ERRORS.signInRequired();
      if (decidesPerLink) return ERRORS.keyOrLinkTokensRequired(needs);
      return ofLink ? ERRORS.keyOrLinkTokenRequired(needs) : ERRORS.keyRequired(needs);
    },
  },
  INSUFFICIENT_SCOPE: {
    reason: 'insufficient_scope',
    toError: ({ needs }) => ERRORS.insufficientScope(needs),
  },
} satisfies Record<Exclude<AccessDecision, 'ALLOWED'>, Refusal>;

/** Returns the short code in a path. The routes of one link name it `shortCode`, or take everything below `/l/`. */
export function shortCodeIn({ params, routeOptions }: FastifyRequest): string | undefined {
  const { shortCode, '*': rest } = params as { shortCode?: string; '*'?: string }; // the router's, by the path
  return shortCode ?? (routeOptions.url === '/l/*' ? rest : undefined);
}

/** Returns who sends a request. @throws RequestError, such as for several credentials or an impossible user name */
export type IdentifyCaller = (request: IncomingMessage) => Promise<Proof['caller']> | Proof['caller'];

const BEARER = /^bearer(?:\s+|$)(.*)/i;

/** The parts that read the credentials of requests. */
export type Identification = Pick<HttpDependencies, 'config' | 'useCases' | 'stores'>;

/** Returns the teams of a person; none during an outage of the database, in which health and metrics are read. */
async function findTeamsIfAvailable({ findTeamsOf }: Pick<PersonStore, 'findTeamsOf'>, name: string) {
  try {
    return await findTeamsOf(name);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return [];
    throw error;
  }
}

/** Prepares reading credentials: of the local administrator, else an API key first, then the user whom a trusted proxy names, then a session. */
export function prepareIdentifyCaller(parts: Identification): IdentifyCaller {
  const { config } = parts;
  const { keyCallers, findSessionCaller } = parts.useCases;
  const { people } = parts.stores;
  const { baseUrl } = config;
  const { userHeader, userScopes } = config.access;
  const cookie = prepareSessionCookie(baseUrl);
  const isTrusted = prepareIsTrusted(config.server.trustedProxies);

  function userOf(request: IncomingMessage): Caller | Promise<Caller> {
    if (userHeader === null || request.headers[userHeader] === undefined) return ANONYMOUS;
    if (!isTrusted(toPlainAddress(request.socket.remoteAddress ?? '') ?? '')) return ANONYMOUS;
    // A proxy that adds its header to the client's would otherwise let the client choose the name.
    const [sent = '', ...more] = request.headersDistinct[userHeader] ?? [];
    const text = decodeHeaderText(sent).trim();
    if (text === '' && more.length === 0) return ANONYMOUS;
    const parsed = parsePersonName(text);
    if (more.length > 0 || !parsed.ok) throw ERRORS.unusableUserName(userHeader);
    const name = parsed.value;
    return findTeamsIfAvailable(people, name).then((teams) => {
      if (teams === null) return ANONYMOUS; // the proxy may still sign in a person who was deactivated here
      return { kind: 'USER', name, scopes: userScopes, owner: formatOwner({ kind: 'USER', name }), teams };
    });
  }

  /** An ended session has no caller: browsers send its cookie without being asked. */
  function personOf(request: IncomingMessage): Caller | Promise<Caller> {
    const secret = cookie.read(request);
    if (secret === undefined) return ANONYMOUS;
    if (isUnsafe(request) && !isFromOwnPage(request, baseUrl)) throw ERRORS.sessionNeedsOwnPage();
    return findSessionCaller(secret).then((caller) => (typeof caller === 'object' ? caller : ANONYMOUS));
  }

  return (request) => {
    if (isLocal(request)) return localCaller(request);
    if (hasSeveral(request, 'authorization')) throw ERRORS.severalCredentials();
    const [, key] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) {
      const user = userOf(request);
      return user === ANONYMOUS ? personOf(request) : user;
    }
    if (keyCallers.looksLikeKey(key)) return keyCallers.find(key).then((caller) => caller ?? 'INVALID_KEY');
    // A token of the proxy's own sign-in may come with its user.
    const user = userOf(request);
    return user === ANONYMOUS ? 'INVALID_KEY' : user;
  };
}
