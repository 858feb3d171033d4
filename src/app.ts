import cors from '@fastify/cors';
import Fastify, { type FastifyInstance } from 'fastify';
import { answerClientError, handleErrors, refuseOtherMethods, sendFault } from './http/error-handling.ts';
import { ERRORS } from './http/errors.ts';
import { correlationIdOf, pathOf } from './http/request-context.ts';
import { accessStatisticsRoutes } from './http/routes/access-statistics.ts';
import { createLinkRoute } from './http/routes/create-link.ts';
import { frontPageRoute } from './http/routes/front-page.ts';
import { healthRoutes } from './http/routes/health.ts';
import { linkStatisticsRoutes } from './http/routes/link-statistics.ts';
import { metricsRoute } from './http/routes/metrics.ts';
import { collectOpenApi, referenceRoutes } from './http/routes/reference.ts';
import { prepareResolve, resolveLinkRoute } from './http/routes/resolve-link.ts';
import { revokeLinkRoute } from './http/routes/revoke-link.ts';
import { uploadFileRoute } from './http/routes/upload-file.ts';
import { sendError } from './http/send-error.ts';
import type { CreateLink } from './links/create-link.ts';
import type { Clock, LinkStore, StatisticsStore } from './links/ports.ts';
import type { DiscardFile, ReceiveFile } from './links/receive-file.ts';
import type { ResolveLink } from './links/resolve-link.ts';
import type { CheckHealth } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Observed } from './observability/observe.ts';

/** All that the HTTP side needs: the use cases, what it tells of them, and its settings. */
export type Parts = {
  createLink: Observed<CreateLink>;
  resolveLink: Observed<ResolveLink>;
  revokeLink: Observed<LinkStore['revoke']>;
  receiveFile: ReceiveFile;
  discardFile: DiscardFile;
  statistics: StatisticsStore;
  checkHealth: CheckHealth;
  metrics: Metrics;
  log: Log;
  clock: Clock;
  baseUrl: string;
  maxFileBytes: number;
  maxRequestBytes: number;
  healthDetails: boolean;
  corsAllowedOrigins: string[];
  trustedProxies: string[];
};

/** A connection on which nothing moves for so long is closed: it costs a client more to hold than us to lose. */
const IDLE_CONNECTION_MS = 60_000;
/** Room for a password of 8 KiB beside a browser's own headers. */
const MAX_HEADER_BYTES = 32 * 1024;
/** No request lasts longer, which is what lets the sweep know an upload that was given up. */
const MAX_REQUEST_MS = 24 * 3_600_000;

/** Each in a scope of its own: what a request's body may be is for its route alone to say. */
const ROUTES = [
  createLinkRoute,
  uploadFileRoute,
  resolveLinkRoute,
  revokeLinkRoute,
  accessStatisticsRoutes,
  linkStatisticsRoutes,
  healthRoutes,
  metricsRoute,
  frontPageRoute,
  referenceRoutes,
];

/** Builds the HTTP application: hooks first, then the routes, in the order in which a reader meets them. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    genReqId: correlationIdOf,
    trustProxy: parts.trustedProxies.length > 0 && parts.trustedProxies,
    connectionTimeout: IDLE_CONNECTION_MS,
    requestTimeout: MAX_REQUEST_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A path that cannot be percent-decoded: under /l/ it is still an attempt, of a link that cannot exist.
    frameworkErrors: (_, request, reply) => {
      reply.header('x-correlation-id', request.id);
      const text = pathOf(request.raw);
      if (!text.startsWith('/l/') || !['GET', 'HEAD'].includes(request.method)) {
        return void sendError(request, reply, 400, ERRORS.malformedRequest().message);
      }
      resolve(request, reply, text.slice('/l/'.length)).catch((error) =>
        sendFault(request, reply, error, parts.log),
      );
    },
  });
  const resolve = prepareResolve(parts);
  // Each rule for what a client sends stands in src/links/rules, in the contract's words and order.
  app.setValidatorCompiler(() => () => true);
  app.removeAllContentTypeParsers();

  addHooks(app, parts);
  handleErrors(app, parts.log);
  if (parts.corsAllowedOrigins.length > 0) {
    const [only] = parts.corsAllowedOrigins;
    await app.register(cors, {
      origin: only === '*' ? '*' : parts.corsAllowedOrigins,
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      exposedHeaders: ['X-Correlation-Id', 'Content-Disposition'],
    });
  }
  const refuseTheRest = refuseOtherMethods(app);
  collectOpenApi(app, parts.baseUrl);

  for (const addRoutes of [...ROUTES, refuseTheRest]) {
    await app.register((scope, _, done) => {
      addRoutes(scope, parts);
      done();
    });
  }
  await app.ready();
  return app;
}

function addHooks(app: FastifyInstance, { metrics }: Parts): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-correlation-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, never the path itself: a metric's labels tell no short code.
    const uri = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
    const labels = { method: request.method, uri, status: reply.statusCode };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
