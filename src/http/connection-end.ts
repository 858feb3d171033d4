import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ClientState } from '../core/ports/ports.ts';

/** The bounds of reading from a connection that is closing, and the interval at which they are checked. */
export type LingerBounds = { totalMs: number; idleMs: number; bytes: number; checkEachMs: number };

const BOUNDS: LingerBounds = {
  // nginx's defaults for lingering_time and lingering_timeout. Other connections may be idle for longer.
  totalMs: 30_000,
  idleMs: 5_000,
  // Far above the uploads that are refused for their size, and a fraction of what a fast line sends in 30 s.
  bytes: 1024 ** 3,
  checkEachMs: 500,
};

/** The last response of each connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>();

/** Notes which response a connection gets. */
export function beginResponse(socket: Socket, response: ServerResponse): void {
  lastResponses.set(socket, response);
}

/** Returns the response that is being prepared or sent on a connection. */
export function findPendingResponse(socket: Socket): ServerResponse | undefined {
  const response = lastResponses.get(socket);
  return response?.writableFinished ? undefined : response;
}

/** Makes a connection linger when it closes after its last response. */
export function lingerOnClose(socket: Socket): void {
  // Node calls this method after the last response of a connection, and nowhere else.
  socket.destroySoon = () => {
    socket.resume(); // Node pauses a connection whose requests wait for responses
    closeLingering(socket);
  };
}

/**
 * Makes a connection close without a reset when the response ends before the body of the request.
 *
 * Node destroys the socket after the last response of a connection. What the client then still sends makes
 * the kernel reset the connection, and the client loses a response that it has not read yet (RFC 9112, 9.6).
 */
export function avoidResetOnClose(request: IncomingMessage): void {
  const { socket } = request;
  // Node calls this method after the last response of a connection, and nowhere else.
  socket.destroySoon = () => {
    if (request.complete) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    request.resume();
    closeLingering(socket);
  };
}

/**
 * Sends the last bytes of a connection and half-closes it. What still arrives is read and discarded until the
 * client closes its side, up to a bound of bytes and of time. No request that arrives is served any more.
 */
export function closeLingering(socket: Socket, lastBytes = '', bounds = BOUNDS): void {
  socket.end(lastBytes);
  const startedAt = performance.now();
  const startBytes = socket.bytesRead;
  let receivedAt = startedAt;
  let receivedBytes = startBytes;
  const checking = setInterval(() => {
    const now = performance.now();
    if (socket.bytesRead > receivedBytes) receivedAt = now;
    receivedBytes = socket.bytesRead;
    const isWithinBounds =
      now - startedAt <= bounds.totalMs &&
      now - receivedAt <= bounds.idleMs &&
      receivedBytes - startBytes <= bounds.bytes;
    if (!isWithinBounds) socket.destroy();
  }, bounds.checkEachMs).unref();
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearInterval(checking));
}

/**
 * A stop leaves idle connections open for this long: a request that is on its way, or that a busy client sends next,
 * still gets its response, with `Connection: close`.
 */
const IDLE_MS_AT_STOP = 500;

/**
 * Makes `server.closeIdleConnections`, which a stop calls repeatedly, begin after some time, and spare each connection with
 * a response that is not sent. Node would destroy both: it counts a response as sent when it is ended, although its last
 * bytes may still wait for the client.
 */
export function closeIdleAtStop(server: Server): void {
  const open = new Set<Socket>();
  let stoppingSince: number | undefined;
  const closeIdle = (): void => {
    for (const socket of open) if (!socket.writableEnded && !findPendingResponse(socket)) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.closeIdleConnections = () => {
    stoppingSince ??= performance.now();
    if (performance.now() - stoppingSince >= IDLE_MS_AT_STOP) setImmediate(closeIdle); // what has arrived is read first
  };
}

/** Returns true when the client's connection has closed, or is closing, before the response was sent. */
export function isAborted(response: ServerResponse): boolean {
  return response.closed || response.socket?.destroyed === true;
}

/** Returns a signal that is aborted when the client's connection closes before the response is complete. */
export function abortSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (isAborted(response)) controller.abort();
  else {
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(); // for a complete response, it would build an error in vain
    });
  }
  return controller.signal;
}

/** Returns how work for a response notices that its client leaves. */
export function clientStateOf(response: ServerResponse): ClientState {
  return { isAborted: () => isAborted(response), abortSignal: () => abortSignalOf(response) };
}
