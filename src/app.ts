import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { preflightHeaders, prepareCommonHeaders, setHeaders } from './http/common-headers.ts';
import { correlationIdOf } from './http/correlation-id.ts';
import { handleErrors, refuseOtherMethods } from './http/error-handling.ts';
import { prepareLimitConnections } from './http/limit-connections.ts';
import { endLingering } from './http/lingering-close.ts';
import type { Parts } from './http/parts.ts';
import { isVisit, toRoutableUrl } from './http/path.ts';
import { createLinkRoute } from './http/routes/create-link.ts';
import { describeLinkRoute } from './http/routes/describe-link.ts';
import { healthRoutes } from './http/routes/health.ts';
import { metricsRoute } from './http/routes/metrics.ts';
import { collectOpenApi, referenceRoutes } from './http/routes/reference.ts';
import { resolveLinkRoute } from './http/routes/resolve-link.ts';
import { revokeLinkRoute } from './http/routes/revoke-link.ts';
import { statisticsRoutes } from './http/routes/statistics.ts';
import { uploadFileRoute } from './http/routes/upload-file.ts';
import { webPageRoutes } from './http/routes/web-pages.ts';
import { createHttpServer, MAX_HEADER_BYTES, prepareRefuseUnreadable } from './http/server.ts';
import { createSlowClients } from './http/slow-clients.ts';
import { prepareVisit } from './http/visit.ts';

const CLOSE_IDLE_EACH_MS = 50;

/** Each route has its own scope, because each declares which request bodies it accepts. */
const ROUTES = [
  resolveLinkRoute,
  createLinkRoute,
  uploadFileRoute,
  describeLinkRoute,
  revokeLinkRoute,
  statisticsRoutes,
  healthRoutes,
  metricsRoute,
  webPageRoutes,
  referenceRoutes,
];

/** Builds the HTTP application: the server, then hooks, then routes. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { clock, corsAllowedOrigins } = parts;
  const commonHeaders = prepareCommonHeaders(corsAllowedOrigins);
  let isClosing = false;
  const limits = prepareSocketLimits(parts);
  const visit = prepareVisit(parts, commonHeaders, limits.slowClients, () => isClosing);
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: correlationIdOf,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: prepareRefuseUnreadable(clock, () => app.server),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Visits bypass the framework, which would add 3.5 µs to the 31 µs of a redirect.
    serverFactory: (handler) =>
      createHttpServer(
        (request, response) => (isVisit(request) ? visit(request, response) : handler(request, response)),
        commonHeaders,
        clock,
        limits,
      ),
    rewriteUrl: ({ url }) => toRoutableUrl(url ?? '/'),
  });
  app.addHook('preClose', (done) => {
    isClosing = true;
    // A connection whose last response began before the stop is closed once it is idle.
    const address = app.server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const closing = setInterval(() => {
      app.server.closeIdleConnections();
      endLingering(port);
    }, CLOSE_IDLE_EACH_MS).unref();
    app.server.once('close', () => clearInterval(closing));
    done();
  });
  app.addHook('onClose', async () => limits.slowClients.stop());
  // src/links/rules validates what a client sends, with the texts and in the order of the contract.
  app.setValidatorCompiler(() => () => true);
  app.removeAllContentTypeParsers();

  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(reply, commonHeaders(request.raw, request.id));
    const preflight = corsAllowedOrigins.length > 0 ? preflightHeaders(request.raw) : undefined;
    if (!preflight) return done();
    setHeaders(reply, preflight);
    reply.code(204).send();
  });
  countRequests(app, parts);
  handleErrors(app, parts);
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

/** Returns the limits that all servers share. Each connection that they refuse or cut off is counted. */
function prepareSocketLimits({ metrics, ...parts }: Parts) {
  const count = (reason: string): void => metrics.connectionsCutOff.inc({ reason });
  return {
    limitConnections: prepareLimitConnections({ ...parts, onRefused: count }),
    slowClients: createSlowClients({ ...parts, onCutOff: count }),
    onTooManyWaiting: () => count('pipelining'),
  };
}

/** Observes every request but visits, which observe themselves. */
function countRequests(app: FastifyInstance, { metrics }: Parts): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.requests.observe(requestLabels(request, reply.statusCode), reply.elapsedTime / 1000);
    done();
  });
}

/** Every method that a route of the service has. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];

/**
 * Returns the labels of a request. The uri is the route's pattern, not the path: metrics must not contain
 * short codes. A method that a path lacks adds no series: 35 methods at 30 paths would be 1.8 MB.
 */
function requestLabels({ method, is404, routeOptions }: FastifyRequest, status: number) {
  const hasRoute = !is404 && status !== 405 && method !== 'OPTIONS';
  return {
    method: KNOWN_METHODS.includes(method) ? method : 'other',
    uri: (hasRoute && routeOptions.url) || 'unmatched',
    status,
  };
}
