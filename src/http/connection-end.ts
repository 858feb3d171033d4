import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ClientState } from '../core/ports/ports.ts';

/** The bounds of reading from a connection that is closing, and the interval at which they are checked. */
export type LingerBounds = { totalMs: number; idleMs: number; bytes: number; checkEachMs: number };

/** A stop waits this long for a client to read its last response, except a download. */
const MAX_MS_AT_STOP = 1_000;

const BOUNDS: LingerBounds = {
  // nginx's defaults for lingering_time and lingering_timeout. Other connections may be idle for longer.
  totalMs: 30_000,
  idleMs: 5_000,
  // Far above the uploads that are refused for their size, and a fraction of what a fast line sends in 30 s.
  bytes: 1024 ** 3,
  checkEachMs: 500,
};

/** A client that reads a download sends nothing meanwhile. */
const DOWNLOAD_BOUNDS: LingerBounds = { ...BOUNDS, idleMs: BOUNDS.totalMs };

/** The last response of each connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>();
/** The time at which the service had sent a download, by the last response that its client may not have read. */
const sentAt = new WeakMap<ServerResponse, number>();

/**
 * Notes which response a connection gets. A client that sends its next request has read the response before, unless
 * that request waited for it.
 */
export function beginResponse(socket: Socket, response: ServerResponse, hasWaited = false): void {
  const downloadedAt = hasWaited ? findDownloadedAt(socket) : undefined;
  if (downloadedAt !== undefined) sentAt.set(response, downloadedAt);
  lastResponses.set(socket, response);
}

/** Returns the response that is being prepared or sent on a connection. */
export function findPendingResponse(socket: Socket): ServerResponse | undefined {
  const response = lastResponses.get(socket);
  return response?.writableFinished ? undefined : response;
}

/** Returns when the service had sent the download of a connection, unless the client has sent a request since. */
function findDownloadedAt(socket: Socket): number | undefined {
  const response = lastResponses.get(socket);
  return response && sentAt.get(response);
}

/**
 * Makes the connection of a download linger when it closes, until the client has read it. The service has sent it
 * when the system has taken its bytes, of which a slow client may have read none. They are lost when the service
 * ends and the network of its container with it.
 */
export function lingerAfterDownload(response: ServerResponse): void {
  const { socket } = response;
  if (!socket) return;
  lingerOnClose(socket);
  // Before Node's own listener, which closes the connection.
  response.prependOnceListener('finish', () => sentAt.set(response, performance.now()));
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
export function closeLingering(
  socket: Socket,
  lastBytes = '',
  bounds = findDownloadedAt(socket) === undefined ? BOUNDS : DOWNLOAD_BOUNDS,
): void {
  socket.end(lastBytes);
  lingeringSince.set(socket, performance.now());
  const startedAt = findDownloadedAt(socket) ?? performance.now();
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

/** The time at which a connection that lingers was half-closed. */
const lingeringSince = new WeakMap<Socket, number>();

/** Returns true for a lingering connection whose client had time to read its last response, unless that is a download. */
function isReadByNow(socket: Socket): boolean {
  const since = lingeringSince.get(socket) ?? Number.POSITIVE_INFINITY;
  const hadTime = socket.writableLength === 0 && performance.now() - since > MAX_MS_AT_STOP;
  return hadTime && findDownloadedAt(socket) === undefined;
}

/**
 * A connection is closed once it was idle for this long. Node would close it in the moment in which a client may be
 * sending its next request, which would then get no response. Until then, that request gets its response with
 * `Connection: close`, after which the client sends no other (RFC 9112, 9.6).
 */
const IDLE_MS = 500;

/** The time at which a connection was first seen idle, and the bytes that it had received by then. */
type Idleness = { sinceMs: number; bytesRead: number };

/**
 * Makes `server.closeIdleConnections`, which a stop calls repeatedly, close a connection only after some time, only
 * when its last response is sent, and without a reset. It also ends those that linger for long enough.
 *
 * Node counts a response as sent when it is ended, although its last bytes may still wait for the client, and
 * destroys its connection.
 */
export function closeIdleGently(server: Server): void {
  const open = new Set<Socket>();
  let idle = new Map<Socket, Idleness>();
  const destroyIdle = server.closeIdleConnections.bind(server);

  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.closeIdleConnections = () => {
    const now = performance.now();
    const before = idle;
    idle = new Map();
    for (const socket of open) {
      if (isReadByNow(socket)) socket.destroy();
      if (!Object.hasOwn(socket, 'destroySoon')) lingerOnClose(socket);
    }
    for (const socket of findIdle(open, destroyIdle)) {
      if (socket.writableLength > 0 || socket.writableEnded) continue;
      const known = before.get(socket);
      const idleness =
        known?.bytesRead === socket.bytesRead ? known : { sinceMs: now, bytesRead: socket.bytesRead };
      if (now - idleness.sinceMs >= IDLE_MS) closeLingering(socket);
      else idle.set(socket, idleness);
    }
  };
}

/**
 * Returns the connections that are between two requests. Node alone knows on which one a part of a request has
 * arrived, and publishes it only by destroying the others: here it calls a method that notes them.
 */
function findIdle(open: ReadonlySet<Socket>, destroyIdle: () => void): ReadonlySet<Socket> {
  const idle = new Set<Socket>();
  for (const socket of open)
    socket.destroy = () => {
      idle.add(socket);
      return socket;
    };
  try {
    destroyIdle();
  } finally {
    for (const socket of open) Reflect.deleteProperty(socket, 'destroy'); // that of the prototype is back
  }
  return idle;
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
