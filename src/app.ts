import cors from '@fastify/cors';
import Fastify, { type FastifyInstance } from 'fastify';
import { correlationHeader, correlationIdOf } from './http/correlation-id.ts';
import { handleErrors, refuseOtherMethods } from './http/error-handling.ts';
import type { Parts } from './http/parts.ts';
import { isVisit, toRoutableUrl } from './http/path.ts';
import { accessStatisticsRoutes } from './http/routes/access-statistics.ts';
import { createLinkRoute } from './http/routes/create-link.ts';
import { describeLinkRoute } from './http/routes/describe-link.ts';
import { healthRoutes } from './http/routes/health.ts';
import { linkStatisticsRoutes } from './http/routes/link-statistics.ts';
import { metricsRoute } from './http/routes/metrics.ts';
import { collectOpenApi, referenceRoutes } from './http/routes/reference.ts';
import { resolveLinkRoute } from './http/routes/resolve-link.ts';
import { revokeLinkRoute } from './http/routes/revoke-link.ts';
import { uploadFileRoute } from './http/routes/upload-file.ts';
import { webPageRoutes } from './http/routes/web-pages.ts';
import { createHttpServer, MAX_HEADER_BYTES, prepareRefuseUnreadable } from './http/server.ts';
import { prepareVisit } from './http/visit.ts';

const CLOSE_IDLE_EACH_MS = 50;

/** Each in a scope of its own: what a request's body may be is for its route alone to say. */
const ROUTES = [
  createLinkRoute,
  uploadFileRoute,
  describeLinkRoute,
  revokeLinkRoute,
  accessStatisticsRoutes,
  linkStatisticsRoutes,
  healthRoutes,
  metricsRoute,
  webPageRoutes,
  referenceRoutes,
];

/** Builds the HTTP application: hooks first, then the routes, in the order in which a reader meets them. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const hasCors = parts.corsAllowedOrigins.length > 0;
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: correlationIdOf,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: prepareRefuseUnreadable(parts.clock, () => app.server),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Visits do not pass through the framework, but where it has to add headers of CORS.
    serverFactory: (handler) =>
      createHttpServer(
        (request, response) =>
          isVisit(request) && !hasCors ? visit(request, response) : handler(request, response),
        parts.clock,
      ),
    rewriteUrl: ({ url }) => toRoutableUrl(url ?? '/'),
  });
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    // Connections whose last answer was begun before are closed as they fall idle, and not waited for.
    const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EACH_MS).unref();
    app.server.once('close', () => clearInterval(closing));
    done();
  });
  const visit = prepareVisit(parts, () => isClosing);
  // Each rule for what a client sends stands in src/links/rules, in the contract's words and order.
  app.setValidatorCompiler(() => () => true);
  app.removeAllContentTypeParsers();

  addHooks(app, parts);
  handleErrors(app, parts);
  if (hasCors) {
    const [only] = parts.corsAllowedOrigins;
    await app.register(cors, {
      origin: only === '*' ? '*' : parts.corsAllowedOrigins,
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      exposedHeaders: ['X-Correlation-Id', 'Content-Disposition'],
    });
  }
  const refuseTheRest = refuseOtherMethods(app);
  collectOpenApi(app, parts.baseUrl);

  const visits = (scope: FastifyInstance) => resolveLinkRoute(scope, visit);
  for (const addRoutes of [visits, ...ROUTES, refuseTheRest]) {
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
    const returnedId = correlationHeader(request.raw, request.id);
    reply.header('x-correlation-id', returnedId).header('x-content-type-options', 'nosniff');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (isVisit(request.raw)) return done(); // counts itself
    // The route's pattern, never the path itself: a metric's labels tell no short code.
    const uri = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
    const labels = { method: request.method, uri, status: reply.statusCode };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
