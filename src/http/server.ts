import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../core/config/config.ts';
import { clientKeyOf, toPlainAddress } from '../core/model/ip-address.ts';
import type { Clock } from '../core/ports/ports.ts';
import { MAX_UPLOAD_MS } from '../core/use-cases/files/receive-file.ts';
import { createSlots } from '../core/use-cases/limits/work-queue.ts';
import {
  avoidResetOnClose,
  beginResponse,
  closeIdleAtStop,
  findPendingResponse,
  lingerOnClose,
} from './connection-end.ts';
import { ERRORS, type RequestError } from './errors.ts';
import { type CommonHeaders, correlationIdOf, hasBody, hasSeveral, keepCorrelationBytes } from './headers.ts';
import { pathOf } from './path.ts';
import { delayContinue, discardInTurns, RequestWithJoinedChunks } from './read-body.ts';
import { prepareIsTrusted } from './request-origin.ts';
import { sendError, sendErrorToSocket, toSocketError } from './response.ts';
import type { SlowClients } from './slow-clients.ts';

/** A connection without traffic is closed after this time; between requests, after `KEEP_ALIVE_MS`. */
export const IDLE_CONNECTION_MS = 60_000;
/** Longer than the defaults of common proxies, so that the proxy closes the connection, not the service. */
const KEEP_ALIVE_MS = 72_000;
/** Room for a password of 8 KiB and a browser's own headers. */
export const MAX_HEADER_BYTES = 32 * 1024;

/** Limits what a client can make a server hold: connections, waiting requests, slow bodies. */
export type SocketLimits = {
  limitConnections: (server: Server) => void;
  slowClients: Pick<SlowClients, 'watchBody'>;
  onTooManyWaiting: () => void;
};

/** Creates a server that passes valid requests to `onRequest`, and refuses others with the error record. */
export function createHttpServer(
  onRequest: RequestListener,
  commonHeaders: CommonHeaders,
  clock: Clock,
  limits: SocketLimits,
): Server {
  const serve = inSequence((request, response) => {
    // The connection is closing, or was reset: no response could be sent.
    if (request.socket.writableEnded || request.socket.remoteAddress === undefined) return;
    if (hasBody(request)) {
      discardInTurns(request, response);
      avoidResetOnClose(request);
      limits.slowClients.watchBody(request, response);
    }
    keepCorrelationBytes(request, response);
    const lacksHost = request.headers.host === undefined && request.httpVersion === '1.1'; // RFC 9112, 3.2
    if (!lacksHost && !hasSeveral(request, 'host')) return onRequest(request, response);
    response.shouldKeepAlive = false;
    const common = commonHeaders(request, correlationIdOf(request));
    sendError(response, ERRORS.malformedHost(), {
      path: pathOf(request),
      now: clock(),
      commonHeaders: common,
    });
  }, limits.onTooManyWaiting);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: MAX_UPLOAD_MS, // no request takes longer than an upload may
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false, // checked below, to respond with the error record
      IncomingMessage: RequestWithJoinedChunks,
    },
    serve,
  );
  server.on('checkContinue', (request, response) => {
    delayContinue(request, response);
    serve(request, response);
  });
  server.on('checkExpectation', serve); // RFC 9110, 10.1.1: another expectation may be ignored
  server.setTimeout(IDLE_CONNECTION_MS);
  limits.limitConnections(server);
  closeIdleAtStop(server);
  return server;
}

/**
 * Returns a handler that sends the error record to a client whose request cannot be read (bad syntax, headers
 * too large, too slow), and closes the connection.
 */
export function prepareRefuseUnreadable(clock: Clock, isVisit: (request: IncomingMessage) => boolean) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable) {
      if (!socket.writableEnded) socket.destroy(); // else it is closing already
      return;
    }
    const pending = findPendingResponse(socket);
    if (pending?.req.complete && isVisit(pending.req)) {
      pending.shouldKeepAlive = false; // a counted view keeps its response, and nothing is written into it
      return;
    }
    sendErrorToSocket(socket, UNREADABLE[error.code ?? '']?.() ?? ERRORS.malformedRequest(), clock());
  };
}

const UNREADABLE: Record<string, () => RequestError> = {
  HPE_HEADER_OVERFLOW: ERRORS.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: ERRORS.requestTimeout,
};

/** Requests of one connection that wait at once. No browser or proxy in use today pipelines more than a few. */
export const MAX_WAITING_REQUESTS = 32;

const waiting = new WeakMap<Socket, number>();
/** Connections that are closed after the response that is being sent. */
const ending = new WeakSet<Socket>();

/**
 * Returns a listener that serves the requests of a connection one after another, in the order of their
 * responses. A client that sends hundreds at once has one file open, and spends no view on a connection that
 * is gone. One that lets too many wait gets the response that is under way, and no other: Node parses whole chunks,
 * 64 KiB hold 2,340 requests, and its back-pressure begins only with output, which requests that wait do not have.
 *
 * @param onCutOff called for each connection that lets too many wait
 */
export function inSequence(serve: RequestListener, onCutOff: () => void): RequestListener {
  return (request, response) => {
    // Node gives a response its socket when those before it have ended.
    const { socket } = request;
    if (response.socket) {
      beginResponse(socket, response);
      return serve(request, response);
    }
    if (socket.destroyed || ending.has(socket)) return; // the rest of a chunk
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING_REQUESTS) {
      onCutOff();
      endAfterResponse(socket);
      return;
    }
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      if (ending.has(socket)) return socket.destroySoon();
      beginResponse(socket, response);
      serve(request, response);
    });
  };
}

/** Reads no further request, and closes the connection after the response that is being sent. */
function endAfterResponse(socket: Socket): void {
  ending.add(socket);
  socket.removeAllListeners('data').on('data', () => undefined); // no parser gets what still arrives
  socket.pause();
  lingerOnClose(socket); // unread bytes would reset the connection
}

type Settings = {
  connections: Omit<Config['connections'], 'minBytesPerSecond'>;
  server: Pick<Config['server'], 'trustedProxies'>;
  clock: Clock;
  onRefused: (reason: 'connections' | 'connections_per_client') => void;
};

const RETRY_AFTER = ['retry-after', '10'];

/**
 * Returns a function that limits the connections of a server: in total, and of each client, which is an IPv4
 * address or an IPv6 network of 64 bits. Proxies are not limited, because they stand for many clients. The
 * servers that get the same function share the counts per client.
 *
 * A client over its limit gets 503. Over the total, connections are closed before they cost anything.
 */
export function prepareLimitConnections({ clock, onRefused, ...limits }: Settings): (server: Server) => void {
  const isTrusted = prepareIsTrusted(limits.server.trustedProxies);
  const slots = createSlots({
    max: Number.POSITIVE_INFINITY,
    maxPerClient: limits.connections.maxPerClient,
  });

  function limitClient(socket: Socket): void {
    const address = toPlainAddress(socket.remoteAddress ?? '');
    if (address === null || isTrusted(address)) return;
    const release = slots.acquire(clientKeyOf(address));
    if (release) return void socket.once('close', release);
    onRefused('connections_per_client');
    // Nothing lingers: connections that wait to be closed would use up the total.
    socket.end(toSocketError(ERRORS.tooManyConnections(), clock(), RETRY_AFTER)).destroySoon();
  }

  return (server) => {
    server.maxConnections = limits.connections.max;
    server.on('drop', () => onRefused('connections'));
    server.on('connection', limitClient);
  };
}
