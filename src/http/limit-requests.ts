import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Link } from '../core/model/link.ts';
import type { Requester } from '../core/ports/ports.ts';
import { requestKeyOf } from '../core/use-cases/limits/rate-limiter.ts';
import type { LimitName } from '../observability/metrics.ts';
import { abortSignalOf } from './connection-end.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS, linkNotFound } from './errors.ts';
import { prepareReportProxy } from './request-origin.ts';

/** Prepares refusing a request beyond a limit: it is counted, and throws the error. */
export function prepareRefuse(deps: HttpDependencies, limit: LimitName) {
  const reportProxy = prepareReportProxy(deps);
  return (request: IncomingMessage, retryAfterMs: number): void => {
    if (retryAfterMs === 0) return;
    deps.observe.metrics.rateLimited.inc({ limit });
    reportProxy(request);
    throw ERRORS.rateLimited(retryAfterMs);
  };
}

/**
 * Prepares refusing a client that requested too many unknown short codes, even requests for existing links. The holder of
 * the token of the link guesses nothing.
 */
export function prepareRefuseBlocked(deps: HttpDependencies) {
  const refuse = prepareRefuse(deps, 'unknown_codes');
  return ({ raw, author }: FastifyRequest): void =>
    refuse(raw, author.kind === 'LINK_TOKEN' ? 0 : deps.useCases.limits.visits.visitsBlockedMs(author));
}

/**
 * Prepares the limit of unknown short codes for a route with a short code. `refuseBlocked` is its hook. `countUnknown`
 * throws the error for a link that does not exist, and `findLink` where it finds none.
 */
export function limitUnknownCodes(deps: HttpDependencies) {
  const refuse = prepareRefuse(deps, 'unknown_codes');
  const refuseIfBlocked = prepareRefuseBlocked(deps);
  const refuseBlocked: onRequestAsyncHookHandler = async (request) => refuseIfBlocked(request);

  /** Counts a request for an unknown link. @throws RequestError when that is one too many */
  async function limitUnknown({ raw, author }: FastifyRequest): Promise<void> {
    refuse(raw, await deps.useCases.limits.visits.countUnknownCode(author));
  }

  async function countUnknown(request: FastifyRequest): Promise<never> {
    await limitUnknown(request);
    throw linkNotFound();
  }

  return {
    refuseBlocked,
    limitUnknown,
    countUnknown,
    findLink: async (shortCode: string, request: FastifyRequest): Promise<Link> =>
      (await deps.stores.read(shortCode)) ?? countUnknown(request),
  };
}

/** Prepares refusing changes beyond their limit, before their body is read. A change adds an entry to a history. */
export function prepareLimitChanges(
  deps: HttpDependencies,
  limit: 'changes' | 'uploads' | 'mails' = 'changes',
): onRequestAsyncHookHandler {
  const refuse = prepareRefuse(deps, limit);
  return async ({ raw, author }) =>
    refuse(raw, await deps.useCases.limits[limit].acquire(requestKeyOf(author)));
}

/** Returns who a request's work is done for. */
export function requesterOf({ author }: FastifyRequest, reply: FastifyReply): Requester {
  return { address: author.ipAddress, signal: abortSignalOf(reply.raw) };
}
