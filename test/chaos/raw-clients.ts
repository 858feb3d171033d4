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

const SLOW_BYTES = 64 * 1024;
const SLOW_EVERY_MS = 20;

/** Opens a file and reads it slowly. Resolves once the response has begun. */
export async function openSlowly(
  arena: Arena,
  shortCode: string,
): Promise<{ receivedBytes: Promise<number> }> {
  const { clients } = arena;
  const planned = planAttempt('open', shortCode, clients.nextAgent());
  const entry = clients.enter(planned);
  const socket = await openQuietly(arena);
  socket.pause();
  socket.write(encode(planned));
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  const receivedBytes = new Promise<number>((resolve) => {
    let received = Buffer.alloc(0);
    const reading = setInterval(() => {
      const chunk: Buffer | null = socket.read(SLOW_BYTES) ?? socket.read();
      if (chunk) received = Buffer.concat([received, chunk]);
    }, SLOW_EVERY_MS);
    const end = (): void => {
      clearInterval(reading);
      const bodyStart = received.indexOf('\r\n\r\n') + 4;
      const status = Number(received.subarray(9, 12).toString());
      entry.outcome = { at: performance.now(), status, message: '' };
      resolve(received.length - bodyStart);
    };
    socket.once('end', end).once('close', end);
  });
  return { receivedBytes };
}
