import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { closeLingering } from './connection-end.ts';

/** An error of Node's HTTP parser, with the chunk that it refused. */
export type ParseError = { code?: string; rawPacket?: unknown; bytesParsed?: number };

/** Sockets whose request is served through a replay. Their first parser stays in Node's list and times out. */
const replayed = new WeakSet<Socket>();

/** Returns true for a socket whose request is served through a replay, so that nothing else writes to it. */
export function isReplayed(socket: Socket): boolean {
  return replayed.has(socket);
}

const FIRST_BEYOND_ASCII = 0x80;
const LINE_FEED = 0x0a;

/**
 * Returns what arrived of a request that was refused for a raw byte beyond ASCII in its target, from its
 * first line on; undefined for any other request. A request line that arrives in several chunks is not found.
 */
export function findRawTarget({ code, rawPacket, bytesParsed = 0 }: ParseError): Buffer | undefined {
  if (code !== 'HPE_INVALID_URL' || !Buffer.isBuffer(rawPacket)) return undefined;
  if ((rawPacket[bytesParsed] ?? 0) < FIRST_BEYOND_ASCII) return undefined;
  return rawPacket.subarray(rawPacket.lastIndexOf(LINE_FEED, bytesParsed) + 1);
}

/**
 * Serves a refused request again, with the raw bytes of its target percent-encoded: "any text in the place of
 * the short code, encoded or raw". Node's parser takes no raw bytes, so the server gets the connection a
 * second time. The connection is closed after the response.
 *
 * @param received what has arrived of the request, from its first line on
 */
export function replayRequest(server: Server, socket: Socket, received: Buffer): void {
  replayed.add(socket);
  const replay = openReplay(socket);
  const encode = prepareEncodeRequestLine();
  socket.removeAllListeners('data').removeAllListeners('end'); // those of the parser that gave up
  replay.push(encode(received));
  socket.on('data', (chunk: Buffer) => {
    if (!replay.push(encode(chunk))) socket.pause();
  });
  socket.once('end', () => replay.push(null));
  socket.once('close', () => replay.destroy());
  server.emit('connection', replay);
}

/** Returns the connection that the HTTP server gets for the second time. Its reader pushes what it reads. */
function openReplay(socket: Socket): Duplex {
  const replay = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _, done) => socket.write(chunk, done),
    final(done) {
      socket.removeAllListeners('data').resume();
      closeLingering(socket);
      done();
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  return Object.defineProperties(replay, {
    remoteAddress: { value: socket.remoteAddress },
    bytesRead: { get: () => socket.bytesRead },
    bytesWritten: { get: () => socket.bytesWritten },
  });
}

/**
 * Returns a function that rewrites the chunks of a request up to the end of its first line, and no further.
 */
function prepareEncodeRequestLine(): (chunk: Buffer) => Buffer {
  let isInRequestLine = true;
  return (chunk) => {
    if (!isInRequestLine) return chunk;
    const lineBytes = chunk.indexOf(LINE_FEED) + 1;
    isInRequestLine = lineBytes === 0;
    if (isInRequestLine) return Buffer.from(percentEncode(chunk));
    const line = `${percentEncode(chunk.subarray(0, lineBytes))}Connection: close\r\n`;
    return Buffer.concat([Buffer.from(line), chunk.subarray(lineBytes)]);
  };
}

function percentEncode(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
