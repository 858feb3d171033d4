import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ANONYMOUS, authorOf, type Caller, isCreator } from '../access/caller.ts';
import {
  type AccessDecision,
  type AccessMode,
  decideAccess,
  hasScope,
  type Proof,
} from '../access/decide-access.ts';
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
  const addressOf = prepareClientAddress(parts);
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
    request.refuseAccess = () => refuse(request, access, 'SIGN_IN_REQUIRED');
    if (decision === 'ALLOWED' || (access.decidesPerLink && decision !== 'INVALID_KEY')) return;
    throw refuse(request, access, decision);
  });

  function refuse(
    { id, method, routeOptions, author }: FastifyRequest,
    access: RouteAccess,
    decision: keyof typeof REFUSALS,
  ): RequestError {
    const { reason, toError } = REFUSALS[decision];
    reportAccessDenial(parts, { correlationId: id, method, uri: routeOptions.url ?? '', reason, author });
    return toError(access, settings.mode);
  }

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
    if (!access.ofLink || caller === 'INVALID_KEY') return { ...NO_PROOF, caller };
    const sent = request.headers['x-link-token'];
    const token = sent === undefined ? undefined : String(sent);
    const link = needsLink(caller, token, access) ? await readLink(request, ipAddress) : undefined;
    const matches = tokenMatches(token, link?.tokenHash ?? null);
    return {
      caller,
      isCreator: isCreator(caller, link),
      linkToken: token === undefined ? 'NONE' : matches ? 'MATCHES' : 'FOREIGN',
    };
  }

  /** Looks up no link for a client that is blocked for unknown codes. */
  async function readLink({ raw, params }: FastifyRequest, ipAddress: string | null) {
    refuseBlocked(raw, ipAddress);
    return parts.readLink(shortCodeIn(params));
  }
}

/** Returns whether the link can make a difference: for what can be a token, and a key that may not do all without it. */
function needsLink(caller: Caller, token: string | undefined, { needs }: RouteAccess): boolean {
  if (token !== undefined) return canBeLinkToken(token);
  if (caller.kind === 'ANONYMOUS') return false;
  return !hasScope(caller, 'manage') || (needs === 'read' && !hasScope(caller, 'read'));
}

const NO_PROOF: Proof = { caller: ANONYMOUS, isCreator: false, linkToken: 'NONE' };

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
      if (!alsoWhenOpen) return ERRORS.signInRequired();
      return ofLink || decidesPerLink ? ERRORS.keyOrLinkTokenRequired(needs) : ERRORS.keyRequired(needs);
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
