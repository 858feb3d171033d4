import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../links/ports.ts';
import { MAX_UPLOAD_MS } from '../links/receive-file.ts';
import { correlationIdOf } from './correlation-id.ts';
import { ERRORS, type RequestError, toErrorRecord } from './errors.ts';
import { isVisit, pathOf } from './path.ts';

/** A connection on which nothing moves for so long is closed: it costs a client more to hold than us to lose. */
const IDLE_CONNECTION_MS = 60_000;
/** Longer than proxies keep theirs, so that it is they who close. */
const KEEP_ALIVE_MS = 72_000;
/** Room for a password of 8 KiB beside a browser's own headers. */
export const MAX_HEADER_BYTES = 32 * 1024;

/** A server that gives `onRequest` what is HTTP, and answers the rest with the error record by itself. */
export function createHttpServer(onRequest: RequestListener, clock: Clock): Server {
  const refuse = (request: IncomingMessage, response: ServerResponse, refused: RequestError): void => {
    const body = JSON.stringify(toErrorRecord(refused.status, refused.message, pathOf(request), clock()));
    response.writeHead(refused.status, {
      ...errorHeaders(body),
      'x-correlation-id': correlationIdOf(request),
      connection: 'close',
    });
    response.end(body);
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: MAX_UPLOAD_MS, // no request takes longer than an upload may
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false, // so that the refusal is ours
    },
    (request, response) => {
      const lacksHost = request.headers.host === undefined && request.httpVersion === '1.1'; // RFC 9112, 3.2
      if (lacksHost) refuse(request, response, ERRORS.malformedRequest());
      else onRequest(request, response);
    },
  );
  server.setTimeout(IDLE_CONNECTION_MS);
  server.on('checkExpectation', (request, response) =>
    refuse(request, response, ERRORS.unknownExpectation()),
  );
  return server;
}

/** Answers a request that could not even be read (bad syntax, headers too large, too slow), then hangs up. */
export function prepareAnswerClientError(clock: Clock) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const underWay = answerUnderWay(socket);
    if (underWay?.req.complete && isVisit(underWay.req)) {
      underWay.shouldKeepAlive = false; // what was counted is answered, and nothing is put into its midst
      return;
    }
    const { status, message } = UNREADABLE[error.code ?? '']?.() ?? ERRORS.malformedRequest();
    const body = JSON.stringify(toErrorRecord(status, message, '', clock()));
    const headers = Object.entries({ ...errorHeaders(body), connection: 'close' });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.map((header) => `${header.join(': ')}\r\n`).join('')}\r\n${body}`,
    );
  };
}

const UNREADABLE: Record<string, () => RequestError> = {
  HPE_HEADER_OVERFLOW: ERRORS.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: ERRORS.requestTimeout,
};

function errorHeaders(body: string) {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
  };
}

/** The answer that a connection is busy with. Node has no public name for it, and its own handler reads the same. */
function answerUnderWay(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}
