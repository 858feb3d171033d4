import type { RequestListener, Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { createBrand } from './brand.ts';
import type { HttpDependencies } from './dependencies.ts';
import { addEndpoints } from './endpoint.ts';
import { handleErrors, refuseOtherMethods } from './error-handling.ts';
import { guardRequests } from './guard-requests.ts';
import {
  type CommonHeaders,
  correlationIdOf,
  preflightHeaders,
  prepareCommonHeaders,
  setHeaders,
} from './headers.ts';
import { createLocalServer } from './local-requests.ts';
import { observeRequests, traceRequests } from './observe-requests.ts';
import { createLinkAddresses, toRoutableUrl } from './path.ts';
import { collectRoutes, markOnManagementPort } from './route-access.ts';
import { bulkLinksEndpoints } from './routes/bulk-links.ts';
import { changeLinkEndpoints } from './routes/change-link.ts';
import { checkpointEndpoints } from './routes/checkpoint.ts';
import { createLinkEndpoints } from './routes/create-link.ts';
import { describeLinkEndpoints } from './routes/describe-link.ts';
import { administrationEndpoints } from './routes/erasures-and-backups.ts';
import { operationEndpoints } from './routes/health-and-metrics.ts';
import { historyEndpoints } from './routes/history.ts';
import { importLinksEndpoints } from './routes/import-links.ts';
import { keyEndpoints } from './routes/keys.ts';
import { listLinksEndpoints } from './routes/list-links.ts';
import { mailLinkEndpoints } from './routes/mail-link.ts';
import { notificationEndpoints } from './routes/notifications.ts';
import { ownStatisticsEndpoints } from './routes/own-statistics.ts';
import { peopleEndpoints } from './routes/people.ts';
import { providerSignInEndpoints } from './routes/provider-sign-in.ts';
import { qrCodeEndpoints } from './routes/qr-code.ts';
import { collectOpenApi, referenceEndpoints } from './routes/reference.ts';
import { requestUploadEndpoints } from './routes/request-uploads.ts';
import { revokeLinksEndpoints } from './routes/revoke-links.ts';
import { sessionEndpoints, signInEndpoints } from './routes/sessions.ts';
import { settingsEndpoints } from './routes/settings.ts';
import { statisticsEndpoints } from './routes/statistics.ts';
import { storageUseEndpoints } from './routes/storage-use.ts';
import { submitFilesEndpoints } from './routes/submit-files.ts';
import { teamEndpoints } from './routes/teams.ts';
import { replaceFileEndpoints, uploadFileEndpoints } from './routes/upload-file.ts';
import { uploadEndpoints } from './routes/uploads.ts';
import { resolveLinkRoute } from './routes/visit-reference.ts';
import { brandFileRoutes, manifestRoute, webPageRoutes } from './routes/web-pages.ts';
import {
  createHttpServer,
  MAX_HEADER_BYTES,
  prepareLimitConnections,
  prepareRefuseUnreadable,
} from './server.ts';
import { createSlowClients, type SlowClients } from './slow-clients.ts';
import { prepareFileRouteOf, prepareVisit } from './visit.ts';

const CLOSE_IDLE_EACH_MS = 50;

/** The routes that are no endpoints: visits, files and pages. Each has its own scope, because it declares which bodies it accepts. */
const ROUTES = [resolveLinkRoute, webPageRoutes, manifestRoute, brandFileRoutes];

const ENDPOINTS = [
  submitFilesEndpoints,
  requestUploadEndpoints,
  createLinkEndpoints,
  uploadFileEndpoints,
  uploadEndpoints,
  bulkLinksEndpoints,
  describeLinkEndpoints,
  qrCodeEndpoints,
  changeLinkEndpoints,
  mailLinkEndpoints,
  replaceFileEndpoints,
  listLinksEndpoints,
  historyEndpoints,
  checkpointEndpoints,
  revokeLinksEndpoints,
  statisticsEndpoints,
  operationEndpoints,
  signInEndpoints,
  importLinksEndpoints,
  providerSignInEndpoints,
  referenceEndpoints,
  peopleEndpoints,
  teamEndpoints,
  keyEndpoints,
  administrationEndpoints,
  notificationEndpoints,
  ownStatisticsEndpoints,
  storageUseEndpoints,
  settingsEndpoints,
  sessionEndpoints,
];

/** The HTTP application. None of its servers listens yet. */
export type HttpApp = {
  /** Its server is that of `server.port`. */
  app: FastifyInstance;
  /** The server of `app.management.port`, where that is set. */
  managementServer: Server | undefined;
  /** The server of the local administrator. */
  localServer: Server;
  /** Completes open requests and accepts no more. */
  close(): Promise<void>;
  /** Cuts off every client at once. */
  closeAllConnections(): void;
};

/** The parts of the HTTP application. */
export type HttpParts = Omit<HttpDependencies, 'addresses' | 'brand'>;

/** Builds the HTTP application: the servers, then hooks, then routes. */
export async function buildApp(parts: HttpParts): Promise<HttpApp> {
  const { clock } = parts;
  const { corsAllowedOrigins, managementPort } = parts.config.server;
  const addresses = createLinkAddresses(parts.config);
  const deps: HttpDependencies = { ...parts, addresses, brand: createBrand(parts.config.brand) };
  const commonHeaders = prepareCommonHeaders(corsAllowedOrigins);
  const fileRouteOf = prepareFileRouteOf(deps);
  let isClosing = false;
  const limits = prepareSocketLimits(deps);
  const createServer = (onRequest: RequestListener) =>
    createHttpServer(traceRequests(deps.observe.tracing, onRequest), commonHeaders, clock, limits);
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: correlationIdOf,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: prepareRefuseUnreadable(clock, addresses.isVisit),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handler) => {
      const context = { commonHeaders, slowClients: limits.slowClients, isClosing: () => isClosing };
      return createServer(prepareVisit(deps, context, handler));
    },
    rewriteUrl: (request) => toRoutableUrl(fileRouteOf(request) ?? request.url ?? '/'),
  });
  const handler: RequestListener = (request, response) => app.routing(request, response);
  const localServer = createLocalServer(handler);
  const managementServer =
    managementPort === null ? undefined : createManagementServer(createServer, handler, clock);
  // src/core/rules validates what a client sends, with the texts and in the order of the contract.
  app.setValidatorCompiler(() => () => true);
  // The types of the routes bound what they send. Compiled serializers would not be faster, and delay each start.
  app.setSerializerCompiler(() => (record: unknown) => JSON.stringify(record));
  app.removeAllContentTypeParsers();

  addCommonHeaders(app, commonHeaders, corsAllowedOrigins.length > 0);
  guardRequests(app, deps);
  observeRequests(app, deps);
  handleErrors(app, deps);
  app.addHook('onRoute', ({ url }) => addresses.reserve(url));
  const checkRoutes = collectRoutes(app);
  await addRoutes(app, deps, limits.slowClients);
  checkRoutes();
  const servers = [app.server, localServer, ...(managementServer ? [managementServer] : [])];
  return {
    app,
    managementServer,
    localServer,
    async close() {
      isClosing = true;
      const closingIdle = setInterval(() => {
        for (const server of servers) server.closeIdleConnections();
      }, CLOSE_IDLE_EACH_MS).unref();
      // At once, before a client reads that its connection closes: its next one is then refused, not reset.
      const closed = servers.map(closeServer);
      await Promise.all([app.close(), ...closed]);
      clearInterval(closingIdle);
      limits.slowClients.stop();
    },
    closeAllConnections() {
      for (const server of servers) server.closeAllConnections();
    },
  };
}

/** Creates the server of `app.management.port`. It has no endpoint for visits: they get the 404 of the framework. */
function createManagementServer(
  createServer: (onRequest: RequestListener) => Server,
  handler: RequestListener,
  clock: HttpDependencies['clock'],
): Server {
  const server = createServer((request, response) => {
    markOnManagementPort(request);
    handler(request, response);
  });
  return server.on(
    'clientError',
    prepareRefuseUnreadable(clock, () => false),
  );
}

/** Sets the headers of every response, and responds to CORS preflights. */
function addCommonHeaders(app: FastifyInstance, commonHeaders: CommonHeaders, hasCors: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(reply, commonHeaders(request.raw, request.id));
    const preflight = hasCors ? preflightHeaders(request.raw) : undefined;
    if (!preflight) return done();
    setHeaders(reply, preflight);
    reply.code(204).send();
  });
}

async function addRoutes(
  app: FastifyInstance,
  deps: HttpDependencies,
  transfers: SlowClients,
): Promise<void> {
  const refuseTheRest = refuseOtherMethods(app);
  collectOpenApi(app, deps);
  const endpoints = ENDPOINTS.flatMap((define) => define(deps, transfers));
  const addAll = (scope: FastifyInstance) => addEndpoints(scope, deps, endpoints);
  for (const addRoute of [...ROUTES, addAll, refuseTheRest])
    await app.register((scope, _, done) => {
      addRoute(scope, deps);
      done();
    });
  await app.ready();
}

/** Resolves once a server has no connection; at once if it never listened. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Returns the limits of all servers but the local one. Each connection that they refuse or cut off is counted. */
function prepareSocketLimits({ config, clock, elapsedMs, observe }: HttpDependencies) {
  const { connections, server } = config;
  const count = (reason: string): void => observe.metrics.connectionsCutOff.inc({ reason });
  return {
    limitConnections: prepareLimitConnections({ connections, server, clock, onRefused: count }),
    slowClients: createSlowClients({ ...connections, elapsedMs, onCutOff: count }),
    onTooManyWaiting: () => count('pipelining'),
  };
}
