import { randomUUID } from 'node:crypto';
import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../links/ports.ts';
import type { Log } from '../observability/log.ts';
import { ERRORS, faultMessage, RequestError, toErrorRecord } from './errors.ts';
import { pathOf } from './path.ts';

/** The library's errors that a client causes, in the contract's words. Any other error is a fault. */
const LIBRARY_ERRORS: Record<string, () => RequestError> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: ERRORS.malformedJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ERRORS.malformedRequest,
  FST_ERR_CTP_BODY_TOO_LARGE: () => ERRORS.bodyTooLarge('1MB'),
  FST_ERR_BAD_URL: ERRORS.malformedRequest,
  FST_PARTS_LIMIT: ERRORS.malformedMultipart,
  FST_FIELDS_LIMIT: ERRORS.malformedMultipart,
  FST_PROTO_VIOLATION: ERRORS.malformedMultipart,
  FST_INVALID_JSON_FIELD_ERROR: ERRORS.malformedMultipart,
  FST_MP_PREMATURE_CLOSE: ERRORS.malformedMultipart,
};

/** Answers every error of a request with the error record; a fault gets a reference that is in the log. */
export function handleErrors(app: FastifyInstance, { log, clock }: { log: Log; clock: Clock }): void {
  const sendError = (request: FastifyRequest, reply: FastifyReply, status: number, message: string) =>
    reply
      .code(status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(toErrorRecord(status, message, pathOf(request.raw), clock())));

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refused = error instanceof RequestError ? error : LIBRARY_ERRORS[error.code]?.();
    if (refused) return sendError(request, reply, refused.status, refused.message);
    // "A fresh UUID is generated per error, put in the message and written with the stack trace to the log."
    const reference = randomUUID();
    log.write('error', 'unexpected_error', { correlationId: request.id, reference, err: error });
    return sendError(request, reply, 500, faultMessage(reference));
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

/** Answers a request that could not even be read (bad syntax, headers too large, too slow), then hangs up. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const refused = UNREADABLE[error.code ?? '']?.() ?? ERRORS.malformedRequest();
  const body = JSON.stringify(toErrorRecord(refused.status, refused.message, '', Date.now()));
  socket.end(
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const UNREADABLE: Record<string, () => RequestError> = {
  HPE_HEADER_OVERFLOW: ERRORS.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: ERRORS.requestTimeout,
};
