import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSocket, type Server, until } from './http-client.ts';
import { END_OF_FORM, encodePart, file, MULTIPART_HEADERS } from './multipart.ts';

/** A request of which the service has read a part. `finish` sends the rest and gives the answer. */
export type BegunRequest = { finish(): Promise<string> };

/** A GET without the end of its headers, right behind a whole one, whose answer shows that both were read. */
export async function beginGet(t: TestContext, service: Server, path: string): Promise<BegunRequest> {
  const socket = await connect(t, service);
  const begun = `GET ${path} HTTP/1.1\r\nhost: test\r\n`;
  socket.write(`${begun}\r\n${begun}`);
  await nextAnswer(socket);
  return { finish: () => finish(socket, '\r\n') };
}

/** An upload of which the service has begun to write the file. */
export async function beginUpload(
  t: TestContext,
  service: Server & { storagePath: string },
): Promise<BegunRequest> {
  const before = incomingFiles(service).length;
  const socket = await connect(t, service);
  const body = Buffer.concat([encodePart(file(Buffer.alloc(200_000, 'upload'))), Buffer.from(END_OF_FORM)]);
  const half = body.length / 2;
  const headers = { host: 'test', ...MULTIPART_HEADERS, 'content-length': body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/links/upload HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body.subarray(0, half));
  await until(() => incomingFiles(service).length > before);
  return { finish: () => finish(socket, body.subarray(half)) };
}

/** The names of the files that a service has begun to write. */
export function incomingFiles({ storagePath }: { storagePath: string }): string[] {
  try {
    return readdirSync(join(storagePath, 'incoming'));
  } catch {
    return []; // nothing was ever uploaded
  }
}

async function connect(t: TestContext, service: Server): Promise<Socket> {
  const socket = await openSocket(service);
  t.after(() => socket.destroy());
  return socket;
}

/** Sends the rest of a request, and keeps the connection after its answer, as clients do. */
function finish(socket: Socket, rest: string | Uint8Array): Promise<string> {
  const answer = nextAnswer(socket);
  socket.write(rest);
  return answer;
}

/** The next answer on a connection, which has a body of the length that it tells. */
function nextAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const done = (settle: () => void): void => {
      socket.off('data', read).off('error', reject).off('close', broken);
      settle();
    };
    const broken = (): void => done(() => reject(new Error(`the connection broke after: ${said}`)));
    const read = (bytes: Buffer): void => {
      said += bytes.toString('latin1');
      const endOfHead = said.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(said)?.[1];
      if (endOfHead >= 0 && said.length >= endOfHead + 4 + Number(length)) done(() => resolve(said));
    };
    socket.on('data', read).once('error', reject).once('close', broken);
  });
}
