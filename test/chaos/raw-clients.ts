import type { Socket } from 'node:net';
import { openSocket } from '../support/http-client.ts';
import type { Arena } from './arena.ts';
import { type Planned, planAttempt, planUpload } from './requests.ts';

/** Returns the bytes of a request as HTTP/1.1 sends them. */
export function encode({ method, path, headers, body = '' }: Planned): Buffer {
  const lengths = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries({ host: 'chaos', ...headers, ...lengths }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(body),
  ]);
}

/** Opens a connection that may break at any time without an error. */
export async function openQuietly(arena: Arena): Promise<Socket> {
  const socket = await openSocket(arena.server);
  arena.cleanup.after(() => void socket.destroy());
  return socket.removeAllListeners('error').on('error', () => undefined);
}

/** Begins uploads and sends half of each. They end with their connections. */
export async function beginUploads(arena: Arena, count: number): Promise<Socket[]> {
  const { clients } = arena;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const planned = planUpload(clients.nextAgent(), { sizeBytes: 300_000 });
      clients.enter(planned);
      const socket = await openQuietly(arena);
      const bytes = encode(planned);
      socket.write(bytes.subarray(0, bytes.length / 2));
      return socket;
    }),
  );
}

/** A download whose client reads only its beginning until `finish` is called. */
export type BegunDownload = {
  /** Reads the rest; resolves to the size of the whole body. */
  finish(): Promise<number>;
};

/** Opens a file and reads this many bytes of the response. The service can send more, which waits in the system. */
export async function beginDownload(
  arena: Arena,
  shortCode: string,
  firstBytes: number,
): Promise<BegunDownload> {
  const { clients } = arena;
  const planned = planAttempt('open', shortCode, clients.nextAgent());
  const entry = clients.enter(planned);
  const socket = await openQuietly(arena);
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  const begun = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      receivedBytes += chunk.length;
      if (receivedBytes < firstBytes || receivedBytes - chunk.length >= firstBytes) return;
      socket.pause();
      resolve();
    });
  });
  socket.write(encode(planned));
  await Promise.race([begun, closed]);
  return {
    async finish() {
      socket.resume();
      await closed;
      const received = Buffer.concat(chunks);
      const status = Number(received.subarray(9, 12).toString());
      entry.outcome = { at: performance.now(), status, message: '' };
      return received.length - (received.indexOf('\r\n\r\n') + 4);
    },
  };
}
