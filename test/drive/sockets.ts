import type { OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Server } from '../support/http-client.ts';

/** A request as bytes. With a body, its length is sent unless a header says otherwise. */
export type RawRequest = {
  method?: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
};

/** Returns the bytes of a request, in HTTP/1.1. A character of a header is one byte. */
export function encode({ method = 'GET', path, headers = {}, body = '' }: RawRequest): Buffer {
  const lengths = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  const chunked = headers['transfer-encoding'] === undefined ? lengths : {};
  const lines = Object.entries({ host: '127.0.0.1', ...chunked, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, Buffer.from(body)]);
}

/** Opens a connection that may be refused, or break at any time, without an error. */
export async function openQuietly(server: Server): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  await eitherEvent(socket, 'connect');
  return socket;
}

/** Writes as fast as the server reads. Returns early when the connection closes. */
export async function writeAll(socket: Socket, bytes: string | Buffer): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  await eitherEvent(socket, 'drain');
}

/** Waits for an event, or for the end of the connection. */
function eitherEvent(socket: Socket, event: 'connect' | 'drain'): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off(event, done).off('close', done);
      resolve();
    };
    socket.once(event, done).once('close', done);
  });
}

/** Resolves to the status of the first response on a connection, or to 0 when there is none within `ms`. */
export function firstStatus(socket: Socket, ms: number): Promise<number> {
  return new Promise((resolve) => {
    let received = '';
    const done = (): void => {
      clearTimeout(timer);
      resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1] ?? 0));
    };
    const timer = setTimeout(done, ms);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.includes('\r\n')) done();
    });
    socket.once('close', done);
  });
}

/** Sends bytes on a connection of their own. Returns the first status and the time to it. */
export async function ask(
  server: Server,
  bytes: Buffer,
  withinMs: number,
): Promise<{ status: number; ms: number }> {
  const socket = await openQuietly(server);
  const startedAt = performance.now();
  socket.write(bytes);
  const status = await firstStatus(socket, withinMs);
  socket.destroy();
  return { status, ms: performance.now() - startedAt };
}
