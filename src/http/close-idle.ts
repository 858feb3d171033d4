import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering, lingerOnClose } from './lingering-close.ts';

/**
 * A connection is closed once it was idle for this long. Node would close it in the moment in which a client may be
 * sending its next request, which would then get no response. Until then, that request gets its response with
 * `Connection: close`, after which the client sends no other (RFC 9112, 9.6).
 */
const IDLE_MS = 500;

/** When a connection was first seen idle, and what it had received by then. */
type Idleness = { sinceMs: number; bytesRead: number };

/**
 * Makes `server.closeIdleConnections`, which a stop calls repeatedly, close a connection only after some time, only
 * when its last response is sent, and without a reset.
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
    for (const socket of open) if (!Object.hasOwn(socket, 'destroySoon')) lingerOnClose(socket);
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
  for (const socket of open) {
    socket.destroy = () => {
      idle.add(socket);
      return socket;
    };
  }
  try {
    destroyIdle();
  } finally {
    for (const socket of open) Reflect.deleteProperty(socket, 'destroy'); // that of the prototype is back
  }
  return idle;
}
