import type { Socket } from 'node:net';
import { encode, openQuietly as open } from '../drive/sockets.ts';
import type { Arena } from './arena.ts';
import { planAttempt, planUpload } from './requests.ts';

/** Opens a connection to the service of an arena, which closes it at the end. */
export async function openQuietly({ server, cleanup }: Arena): Promise<Socket> {
  const socket = await open(server);
  cleanup.after(() => void socket.destroy());
  return socket;
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
