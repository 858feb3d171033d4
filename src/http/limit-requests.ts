import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { LimitRequests } from '../limits/rate-limiter.ts';
import type { Requester } from '../links/ports.ts';
import type { LimitName } from '../observability/metrics.ts';
import { prepareClientAddress, prepareReportProxy } from './client-address.ts';
import { departureOf } from './departure.ts';
import { ERRORS, linkNotFound } from './errors.ts';
import type { Parts } from './parts.ts';

/**
 * Prepares a hook that refuses requests beyond a limit, before their body is read. The hook of all routes has
 * determined the author before, and has refused requests that lack credentials.
 */
export function limitRequests(
  parts: Parts,
  limit: LimitRequests,
  name: LimitName,
): onRequestAsyncHookHandler {
  const reportProxy = prepareReportProxy(parts);
  return async ({ raw, author }) => {
    const retryAfterMs = await limit(author);
    if (retryAfterMs === 0) return;
    parts.metrics.rateLimited.inc({ limit: name });
    reportProxy(raw);
    throw ERRORS.rateLimited(retryAfterMs);
  };
}

/**
 * Prepares the limit of unknown short codes for a route with a short code. `refuseBlocked` is its hook. `countUnknown`
 * throws the error for a link that does not exist.
 */
export function limitUnknownCodes(parts: Parts) {
  const { visits } = parts.limits;
  const addressOf = prepareClientAddress(parts.trustedProxies);
  const reportProxy = prepareReportProxy(parts);

  function requireAllowed(request: FastifyRequest['raw'], retryAfterMs: number): void {
    if (retryAfterMs === 0) return;
    reportProxy(request);
    parts.metrics.rateLimited.inc({ limit: 'unknown_codes' });
    throw ERRORS.rateLimited(retryAfterMs);
  }
  const refuseBlocked: onRequestAsyncHookHandler = async ({ raw }) =>
    requireAllowed(raw, visits.visitsBlockedMs(addressOf(raw)));

  return {
    refuseBlocked,
    async countUnknown({ raw }: FastifyRequest): Promise<never> {
      requireAllowed(raw, await visits.countUnknownCode(addressOf(raw)));
      throw linkNotFound();
    },
  };
}

/** Prepares who a request's work is done for. */
export function prepareRequester({ trustedProxies }: Pick<Parts, 'trustedProxies'>) {
  const addressOf = prepareClientAddress(trustedProxies);
  return ({ raw }: FastifyRequest, reply: FastifyReply): Requester => ({
    address: addressOf(raw),
    hasLeft: departureOf(reply.raw),
  });
}
