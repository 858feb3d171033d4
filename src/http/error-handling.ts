import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../links/ports.ts';
import type { Log } from '../observability/log.ts';
import { ERRORS, RequestError, toErrorRecord, unexpectedErrorMessage } from './errors.ts';
import { pathOf } from './path.ts';
import { MAX_JSON_BYTES, toSizeText } from './sizes.ts';

/** The library's errors that a client causes, in the contract's words. Any other error is a fault. */
const LIBRARY_ERRORS: Record<string, () => RequestError> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ERRORS.malformedRequest,
  FST_ERR_CTP_BODY_TOO_LARGE: () => ERRORS.bodyTooLarge(toSizeText(MAX_JSON_BYTES)),
};

/** What a client did wrong, if this is it: the library says so, or the client hung up while it was read. */
function toRefusal(error: FastifyError, request: FastifyRequest): RequestError | undefined {
  if (error instanceof RequestError) return error;
  return request.raw.readableAborted ? ERRORS.malformedRequest() : LIBRARY_ERRORS[error.code]?.();
}

/** Answers every error of a request with the error record; a fault gets a reference that is in the log. */
export function handleErrors(app: FastifyInstance, { log, clock }: { log: Log; clock: Clock }): void {
  const sendError = (request: FastifyRequest, reply: FastifyReply, status: number, message: string) =>
    reply
      .code(status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(toErrorRecord(status, message, pathOf({ url: request.originalUrl }), clock())));

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refused = toRefusal(error, request);
    if (refused) return sendError(request, reply, refused.status, refused.message);
    // "A fresh UUID is generated per error, put in the message and written with the stack trace to the log."
    const reference = randomUUID();
    log.write('error', 'unexpected_error', { correlationId: request.id, reference, err: error });
    return sendError(request, reply, 500, unexpectedErrorMessage(reference));
  });
  app.setNotFoundHandler((request, reply) => {
    const { status, message } = ERRORS.noSuchPath();
    return sendError(request, reply, status, message);
  });
}

/**
 * Gives each path of `app` a 405 for the methods it does not have, with `Allow` (RFC 9110, 15.5.6); OPTIONS
 * tells the same with 204. To be called before the routes are added.
 */
export function refuseOtherMethods(app: FastifyInstance): (app: FastifyInstance) => void {
  const paths = new Set<string>();
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  app.addHook('onRoute', ({ url }) => {
    paths.add(url);
  });

  return (lastApp) => {
    for (const url of [...paths]) {
      const [has, lacks] = partition(app.supportedMethods, (method) => app.hasRoute({ url, method }));
      const allowed = has.sort().join(', ');
      lastApp.route({
        url,
        method: lacks,
        schema: { hide: true },
        onRequest: (request, reply, done) => {
          reply.header('allow', allowed);
          done(request.method === 'OPTIONS' ? undefined : ERRORS.methodNotAllowed(request.method, allowed));
        },
        handler: (_, reply) => reply.code(204).send(),
      });
    }
  };
}

function partition<T>(items: T[], test: (item: T) => boolean): [passed: T[], failed: T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
