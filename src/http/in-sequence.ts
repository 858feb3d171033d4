import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait at once. No browser or proxy in use today pipelines more than a few. */
export const MAX_WAITING_REQUESTS = 32;

const waiting = new WeakMap<Socket, number>();

/**
 * Returns a listener that serves the requests of a connection one after another, in the order of their
 * responses. A client that sends hundreds at once has one file open, and spends no view on a connection that
 * is gone. One that lets too many wait is cut off: Node parses whole chunks, 64 KiB hold 2,340 requests, and
 * its back-pressure begins only with output, which requests that wait do not have.
 *
 * @param onCutOff called before a connection is destroyed
 */
export function inSequence(serve: RequestListener, onCutOff: () => void): RequestListener {
  return (request, response) => {
    // Node gives a response its socket when those before it have ended.
    if (response.socket) return serve(request, response);
    const { socket } = request;
    if (socket.destroyed) return; // the rest of a chunk
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING_REQUESTS) {
      onCutOff();
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      serve(request, response);
    });
  };
}
