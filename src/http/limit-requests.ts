import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Requester } from '../links/ports.ts';
import type { LimitName } from '../observability/metrics.ts';
import { prepareReportProxy } from './client-address.ts';
import { departureOf } from './connection-end.ts';
import { ERRORS, linkNotFound } from './errors.ts';
import type { Parts } from './parts.ts';

/** Prepares refusing a request beyond a limit: it is counted, and throws the error. */
export function prepareRefuse(parts: Parts, limit: LimitName) {
  const reportProxy = prepareReportProxy(parts);
  return (request: IncomingMessage, retryAfterMs: number): void => {
    if (retryAfterMs === 0) return;
    parts.metrics.rateLimited.inc({ limit });
    reportProxy(request);
    throw ERRORS.rateLimited(retryAfterMs);
  };
}

/** Prepares refusing a client that requested too many unknown short codes, even requests for existing links. */
export function prepareRefuseBlocked(parts: Parts) {
  const refuse = prepareRefuse(parts, 'unknown_codes');
  return (request: IncomingMessage, ipAddress: string | null): void =>
    refuse(request, parts.limits.visits.visitsBlockedMs(ipAddress));
}

/**
 * Prepares the limit of unknown short codes for a route with a short code. `refuseBlocked` is its hook. `countUnknown`
 * throws the error for a link that does not exist.
 */
export function limitUnknownCodes(parts: Parts) {
  const refuse = prepareRefuse(parts, 'unknown_codes');
  const refuseIfBlocked = prepareRefuseBlocked(parts);
  const refuseBlocked: onRequestAsyncHookHandler = async ({ raw, author }) =>
    refuseIfBlocked(raw, author.ipAddress);

  /** Counts a request for an unknown link. @throws RequestError when that is one too many */
  async function limitUnknown({ raw, author }: FastifyRequest): Promise<void> {
    refuse(raw, await parts.limits.visits.countUnknownCode(author.ipAddress));
  }

  return {
    refuseBlocked,
    limitUnknown,
    async countUnknown(request: FastifyRequest): Promise<never> {
      await limitUnknown(request);
      throw linkNotFound();
    },
  };
}

/** Prepares refusing changes beyond their limit, before their body is read. A change adds an entry to a history. */
export function prepareLimitChanges(parts: Parts): onRequestAsyncHookHandler {
  const refuse = prepareRefuse(parts, 'changes');
  return async ({ raw, author }) => refuse(raw, await parts.limits.changes.take(author));
}

/** Returns who a request's work is done for. */
export function requesterOf({ author }: FastifyRequest, reply: FastifyReply): Requester {
  return { address: author.ipAddress, hasLeft: departureOf(reply.raw) };
}
