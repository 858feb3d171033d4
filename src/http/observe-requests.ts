import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toAuditCode } from '../core/model/attempt.ts';
import { formatFields } from '../observability/log.ts';
import type { FinishedRequest, RequestIds, RequestLine } from '../observability/observe.ts';
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

/** Returns the ids of a request by which lines of the log belong together. */
export const idsOf = (request: IncomingMessage, correlationId: string): RequestIds => ({
  correlationId,
  requestId: requestIdOf(request),
  traceId: traceIdOf(request),
});

type Finished = Pick<FinishedRequest, 'method' | 'route' | 'status' | 'durationMs' | 'line' | 'result'>;

/** Prepares reporting the end of a request. `bytesBefore`: that its connection had been sent when it began. */
export function prepareReportEnd(deps: HttpDependencies) {
  const { observeRequest } = deps.observe;
  const { hasAddresses: logsAddresses } = deps.config.log;
  const addressOf = prepareClientAddress(deps);
  return (request: IncomingMessage, bytesBefore: number, finished: Finished): void =>
    observeRequest({
      ...finished,
      request,
      sizeBytes: request.socket.bytesWritten - bytesBefore,
      ipAddress: logsAddresses ? addressOf(request) : undefined,
    });
}

/** The line of a request that has no other. */
export const finishedLine = (ids: RequestIds & { shortCode?: string | undefined }): RequestLine => ({
  event: 'request_finished',
  fields: formatFields(ids),
});

/** Observes every request but visits, whose line says how their attempt ended. */
export function observeRequests(app: FastifyInstance, deps: HttpDependencies): void {
  const { refusalLines } = deps.observe;
  const reportEnd = prepareReportEnd(deps);
  app.decorateRequest('bytesBefore', 0);
  app.addHook('onRequest', (request, _, done) => {
    request.bytesBefore = request.raw.socket.bytesWritten;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { raw } = request;
    const { statusCode: status } = reply;
    const labels = labelsOf(request, status);
    const isLeftOut =
      status === 429 ? !refusalLines.add() : REFUSED.includes(status) && refusalLines.isExceeded();
    const shortCode = labels.route === 'unmatched' ? undefined : shortCodeIn(request);
    const ids = { ...idsOf(raw, request.id), shortCode: shortCode && toAuditCode(shortCode) };
    const line = isLeftOut ? undefined : finishedLine(ids);
    reportEnd(raw, request.bytesBefore, { ...labels, status, durationMs: reply.elapsedTime, line });
    done();
  });
}

/** The statuses of refused credentials. A flood of such requests would fill the disk with lines. */
const REFUSED = [401, 403];

/** Every method that a route of the service has. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

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
