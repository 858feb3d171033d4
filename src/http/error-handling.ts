import { METHODS } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS, type RequestError } from './errors.ts';
import { wantsPage } from './headers.ts';
import { prepareToRequestError } from './map-errors.ts';
import { sendPage } from './pages/page.ts';
import { homeOf, unknownPathPage } from './pages/service-pages.ts';
import { readVisitor } from './pages/visitor.ts';
import { pathOf } from './path.ts';
import { MAX_JSON_BYTES, toSizeText } from './read-body.ts';
import { sendError } from './response.ts';
import { isServedHere, PAGE_PORTS } from './route-access.ts';

/** The framework's errors that a client causes, in the contract's words. Any other error is the service's. */
const LIBRARY_ERRORS: Record<string, () => RequestError> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ERRORS.malformedRequest,
  FST_STATIC_FORBIDDEN_PATH: ERRORS.noSuchPath,
  FST_ERR_CTP_BODY_TOO_LARGE: () => ERRORS.bodyTooLarge(toSizeText(MAX_JSON_BYTES)),
  // Routes that read a body respond with 415 themselves. This is left for OPTIONS.
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ERRORS.malformedRequest,
};

/** Returns the error record of an error of the framework that a client caused; undefined for a server error. */
function findOfFramework(
  error: Error & { code?: string },
  { is404, raw }: FastifyRequest,
): RequestError | undefined {
  const { code = '' } = error;
  // The framework checks the Content-Type before it calls the handler of unknown paths.
  if (is404 && code.startsWith('FST_')) return ERRORS.noSuchPath();
  // A file that was waiting to be sent when the client left.
  const isUnsent = code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed;
  return raw.readableAborted || isUnsent ? ERRORS.malformedRequest() : LIBRARY_ERRORS[code]?.();
}

/**
 * Sends an error record for every error of a request; for a server error, with a reference to the log. A browser gets a
 * page for an unknown path.
 */
export function handleErrors(app: FastifyInstance, deps: HttpDependencies): void {
  const { clock } = deps;
  const toRequestError = prepareToRequestError<FastifyRequest>(deps.observe, findOfFramework);

  function respond(request: FastifyRequest, reply: FastifyReply, error: RequestError): void {
    const commonHeaders = [...Object.entries(reply.getHeaders()).flat().map(String), ...error.headers];
    reply.hijack();
    sendError(reply.raw, error, { path: pathOf({ url: request.originalUrl }), now: clock(), commonHeaders });
  }

  app.setErrorHandler<FastifyError>((error, request, reply) =>
    respond(request, reply, toRequestError(error, request)),
  );
  app.setNotFoundHandler((request, reply) => {
    if (!wantsUnknownPathPage(request)) return respond(request, reply, ERRORS.noSuchPath());
    const visitor = readVisitor(request.headers['accept-language'], deps);
    const hasHome =
      !request.isOnLinkHost &&
      isServedHere(request.raw, PAGE_PORTS.create, deps.config.server.managementPort);
    const home = hasHome ? homeOf(pathOf({ url: request.originalUrl })) : null;
    return sendPage(reply.code(404), unknownPathPage(visitor, home));
  });
}

/** Returns true for a browser that opens a path. Paths of the API have error records for every client. */
function wantsUnknownPathPage({ method, headers, originalUrl }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && wantsPage(headers.accept) && !/^\/api(\/|$)/.test(pathOf({ url: originalUrl }));
}

/**
 * Responds with 405 and `Allow` to the methods that a path of `app` does not have (RFC 9110, 15.5.6). OPTIONS
 * lists the same methods with 204. Must be called before the routes are added.
 */
export function refuseOtherMethods(app: FastifyInstance): (app: FastifyInstance) => void {
  const paths = new Map<string, RouteOptions>();
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  app.addHook('onRoute', (route) => {
    paths.set(route.url, route);
  });

  return (lastApp) => {
    for (const [url, { config }] of [...paths]) {
      const { has = [], lacks = [] } = Object.groupBy(app.supportedMethods, (method) =>
        app.hasRoute({ url, method }) ? 'has' : 'lacks',
      );
      const allowed = has.sort().join(', ');
      lastApp.route({
        url,
        method: lacks,
        schema: { hide: true },
        config: { access: { port: 'both', ...config?.access, needs: 'nothing' } },
        onRequest: (request, reply, done) => {
          reply.header('allow', allowed);
          done(request.method === 'OPTIONS' ? undefined : ERRORS.methodNotAllowed(request.method, allowed));
        },
        handler: (_, reply) => reply.code(204).send(),
      });
    }
  };
}
