import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSocket, type Server, until } from './http-client.ts';
import { encodeForm, file, MULTIPART_HEADERS } from './multipart.ts';

/** A request of which the service has read a part. `finish` sends the rest and returns the response. */
export type StartedRequest = { finish(): Promise<string> };

/** Begins an upload whose file the service has begun to write. */
export async function beginUpload(
  t: TestContext,
  service: Server & { storagePath: string },
  more: Record<string, string> = {},
): Promise<StartedRequest> {
  const before = incomingFiles(service).length;
  const socket = await connect(t, service);
  const body = encodeForm([file(Buffer.alloc(200_000, 'upload'))]);
  const half = body.length / 2;
  const headers = { host: 'test', ...MULTIPART_HEADERS, ...more, 'content-length': body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/links/upload HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body.subarray(0, half));
  await until(() => incomingFiles(service).length > before);
  return { finish: () => finish(socket, body.subarray(half)) };
}

/** Returns the names of the files that a service has begun to write. They are UUIDs: a health check writes others. */
export function incomingFiles({ storagePath }: { storagePath: string }): string[] {
  try {
    return readdirSync(join(storagePath, 'incoming')).filter((name) => name.length === 36);
  } catch {
    return []; // nothing was ever uploaded
  }
}

async function connect(t: TestContext, service: Server): Promise<Socket> {
  const socket = await openSocket(service);
  t.after(() => socket.destroy());
  return socket;
}

/** Sends the rest of a request, and leaves the connection open after its response, as clients do. */
function finish(socket: Socket, rest: string | Uint8Array): Promise<string> {
  const response = nextResponse(socket);
  socket.write(rest);
  return response;
}

/** Returns the next response on a connection. It has a Content-Length. */
function nextResponse(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const done = (settle: () => void): void => {
      socket.off('data', read).off('error', reject).off('close', broken);
      settle();
    };
    const broken = (): void => done(() => reject(new Error(`the connection broke after: ${received}`)));
    const read = (bytes: Buffer): void => {
      received += bytes.toString('latin1');
      const endOfHead = received.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      if (endOfHead >= 0 && received.length >= endOfHead + 4 + Number(length)) done(() => resolve(received));
    };
    socket.on('data', read).once('error', reject).once('close', broken);
  });
}
