import type { RequestListener } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toAuditCode } from '../core/model/attempt.ts';
import { formatFields } from '../observability/log.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { HttpDependencies } from './dependencies.ts';
import { shortCodeIn } from './guard-requests.ts';
import { requestIdOf, traceIdOf, traceparentOf } from './headers.ts';
import { prepareClientAddress } from './request-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes that its connection had been sent when the request began. */
    bytesBefore: number;
  }
}

/**
 * Returns a listener that begins a span for each request. From there on, the request names this span in its
 * `traceparent`, which is returned and logged.
 */
export function traceRequests(tracing: Tracing | undefined, handle: RequestListener): RequestListener {
  if (!tracing) return handle;
  return (request, response) =>
    tracing.beginRequest(request, traceparentOf(request), (traceparent) => {
      request.headers['traceparent'] = traceparent;
      handle(request, response);
    });
}

/** Observes every request but visits, which observe themselves. */
export function observeRequests(app: FastifyInstance, deps: HttpDependencies): void {
  const { observeRequest, refusalLines, logsAddresses } = deps;
  const addressOf = prepareClientAddress(deps);
  app.decorateRequest('bytesBefore', 0);
  app.addHook('onRequest', (request, _, done) => {
    request.bytesBefore = request.raw.socket.bytesWritten;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { id: correlationId, raw } = request;
    const { statusCode: status } = reply;
    const labels = labelsOf(request, status);
    const isLeftOut =
      status === 429 ? !refusalLines.add() : REFUSED.includes(status) && refusalLines.isExceeded();
    const shortCode = labels.route === 'unmatched' ? undefined : shortCodeIn(request);
    const ids = {
      correlationId,
      requestId: requestIdOf(raw),
      traceId: traceIdOf(raw),
      shortCode: shortCode && toAuditCode(shortCode),
    };
    observeRequest({
      ...labels,
      request: raw,
      status,
      durationMs: reply.elapsedTime,
      sizeBytes: raw.socket.bytesWritten - request.bytesBefore,
      line: isLeftOut ? undefined : { event: 'request_finished', fields: formatFields(ids) },
      ipAddress: logsAddresses ? addressOf(raw) : undefined,
    });
    done();
  });
}

/** The statuses of refused credentials. A flood of such requests would fill the disk with lines. */
const REFUSED = [401, 403];

/** Every method that a route of the service has. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Returns the labels of a request. The uri is the route's pattern, not the path: metrics must not contain
 * short codes. A method that a path lacks adds no series: 35 methods at 30 paths would be 1.8 MB.
 */
function labelsOf({ method, is404, routeOptions }: FastifyRequest, status: number) {
  const hasRoute = !is404 && status !== 405 && method !== 'OPTIONS';
  return {
    method: KNOWN_METHODS.includes(method) ? method : 'other',
    route: (hasRoute && routeOptions.url) || 'unmatched',
  };
}
