import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessMode } from '../access/access-settings.ts';
import { authorOf } from '../access/author-of.ts';
import { ANONYMOUS, type Caller } from '../access/caller.ts';
import { type AccessDecision, decideAccess, type Proof } from '../access/decide-access.ts';
import { canBeLinkToken, tokenMatches } from '../access/link-token.ts';
import type { AccessDenial } from '../observability/metrics.ts';
import { reportAccessDenial } from '../observability/observe.ts';
import { prepareClientAddress } from './client-address.ts';
import { isCrossSite, isUnsafe } from './cross-site.ts';
import { ERRORS, type RequestError } from './errors.ts';
import { prepareCheckHost } from './host.ts';
import { prepareIdentifyCaller } from './identify-caller.ts';
import { prepareRefuseBlocked } from './limit-requests.ts';
import { isServedHere } from './management-port.ts';
import type { Parts } from './parts.ts';
import type { RouteAccess } from './route-access.ts';

/** An unknown path gets its 404 from the framework. */
const UNKNOWN_PATH: RouteAccess = { needs: 'nothing', port: 'both' };

/** Refuses, before its body is read, each request of the framework that its route's declaration does not allow. */
export function guardRequests(app: FastifyInstance, parts: Parts): void {
  const { access: settings, baseUrl, corsAllowedOrigins } = parts;
  const checkHost = prepareCheckHost(baseUrl, parts.allowedHosts);
  const identify = prepareIdentifyCaller(settings, parts.keyCallers, parts.trustedProxies);
  const addressOf = prepareClientAddress(parts.trustedProxies, parts.onForwardedAddress);
  const refuseBlocked = prepareRefuseBlocked(parts);
  app.decorateRequest('caller');
  app.decorateRequest('author');
  app.decorateRequest('isAuthorized', false);
  app.decorateRequest('mayManage', false);
  app.decorateRequest('isStillAllowed');

  app.addHook('onRequest', async (request) => {
    const { raw } = request;
    const ipAddress = addressOf(raw);
    const access = request.routeOptions.config.access ?? UNKNOWN_PATH;
    const host = access.anyHost ? 'OWN' : checkHost(raw);
    if (host === 'MALFORMED') throw ERRORS.malformedHost();
    if (host !== 'OWN') throw ERRORS.misdirectedRequest(host.foreign);
    if (isUnsafe(raw) && isCrossSite(raw, baseUrl, corsAllowedOrigins)) throw ERRORS.crossSiteRequest();
    if (!isServedHere(raw, access.port, parts.managementPort)) throw ERRORS.noSuchPath();

    const { proof, decision, isAuthorized } = await decideFor(request, access, ipAddress);
    request.isAuthorized = isAuthorized;
    request.mayManage = decideAccess('keys', 'manage', proof) === 'ALLOWED';
    request.isStillAllowed = async () => {
      const now = await decideFor(request, access, ipAddress).catch(() => undefined);
      return now?.decision === 'ALLOWED';
    };
    request.caller = signedIn(proof.caller);
    request.author = authorOf(request.caller, proof.linkToken === 'MATCHES', ipAddress);
    if (decision === 'ALLOWED') return;
    const { reason, toError } = REFUSALS[decision];
    reportAccessDenial(parts, {
      correlationId: request.id,
      method: request.method,
      uri: request.routeOptions.url ?? '',
      reason,
      author: request.author,
    });
    throw toError(access, settings.mode);
  });

  async function decideFor(request: FastifyRequest, access: RouteAccess, ipAddress: string | null) {
    const proof = access.needs === 'nothing' ? NO_PROOF : await prove(request, access, ipAddress);
    const withKeys = decideAccess('keys', access.needs, proof);
    const decision = access.alsoWhenOpen ? withKeys : decideAccess(settings.mode, access.needs, proof);
    return { proof, decision, isAuthorized: withKeys === 'ALLOWED' };
  }

  async function prove(
    request: FastifyRequest,
    access: RouteAccess,
    ipAddress: string | null,
  ): Promise<Proof> {
    const caller = await identify(request.raw);
    // An invalid key ends the request without a lookup of the link.
    if (!access.orLinkToken || caller === 'INVALID_KEY') return { caller, linkToken: 'NONE' };
    return { caller, linkToken: await compareLinkToken(request, ipAddress) };
  }

  /** Looks up no link for a text that can be no token, nor for a client that is blocked for unknown codes. */
  async function compareLinkToken(
    { raw, headers, params }: FastifyRequest,
    ipAddress: string | null,
  ): Promise<Proof['linkToken']> {
    const sent = headers['x-link-token'];
    if (sent === undefined) return 'NONE';
    if (!canBeLinkToken(String(sent))) return 'FOREIGN';
    refuseBlocked(raw, ipAddress);
    const link = await parts.readLink(shortCodeIn(params));
    return tokenMatches(String(sent), link?.tokenHash ?? null) ? 'MATCHES' : 'FOREIGN';
  }
}

const NO_PROOF: Proof = { caller: ANONYMOUS, linkToken: 'NONE' };

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
    toError: ({ needs, orLinkToken, alsoWhenOpen }) => {
      if (!alsoWhenOpen) return ERRORS.signInRequired();
      return orLinkToken ? ERRORS.keyOrLinkTokenRequired(needs) : ERRORS.keyRequired(needs);
    },
  },
  INSUFFICIENT_SCOPE: {
    reason: 'insufficient_scope',
    toError: ({ needs }) => ERRORS.insufficientScope(needs),
  },
} satisfies Record<Exclude<AccessDecision, 'ALLOWED'>, Refusal>;

/** The routes of one link name its short code `shortCode`, or take everything behind `/l/`. */
function shortCodeIn(params: unknown): string {
  const { shortCode, '*': rest } = params as { shortCode?: string; '*'?: string }; // the router's, by the path
  return shortCode ?? rest ?? '';
}
