import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering, forgetDownload } from './lingering-close.ts';

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
      forgetDownload(socket);
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
      serve(request, response);
    });
  };
}

/** Reads no further request, and closes the connection behind the response that is being sent. */
function endAfterResponse(socket: Socket): void {
  ending.add(socket);
  socket.removeAllListeners('data').on('data', () => undefined); // no parser gets what still arrives
  socket.pause();
  // Node calls this method behind the last response of a connection. Unread bytes would reset the connection.
  socket.destroySoon = () => {
    socket.resume();
    closeLingering(socket);
  };
}
