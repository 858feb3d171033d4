import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, figure } from '../drive/report.ts';
import { encode, firstStatus, openQuietly, writeAll } from '../drive/sockets.ts';
import { uploadFile } from '../support/links.ts';
import { onVictim, type Row, timed } from './victim.ts';

/**
 * A body must have arrived within 30 s. The check of a rate may take two windows of 30 s, and a download has a
 * surplus of 2 MiB, which lasts 8 s at this rate.
 */
const BODY_MS = 35_000;
const RATE_MS = 75_000;
const MIN_RATE = '--app.limits.min-rate=256KB';
const DRIP_EVERY_MS = 5_000;

/** Writes one byte at a time until the connection closes or responds. */
function drip(socket: Socket, byte: string): () => void {
  const timer = setInterval(() => {
    if (!socket.destroyed) socket.write(byte);
  }, DRIP_EVERY_MS);
  return () => clearInterval(timer);
}

const post = (path: string, type: string, body: string): Buffer =>
  encode({ method: 'POST', path, headers: { 'content-type': type, 'content-length': 5_000 }, body });

const SENDERS = [
  {
    what: 'JSON',
    bytes: post('/api/links', 'application/json', '{"targetUrl":"'),
    withinMs: BODY_MS,
  },
  {
    what: 'visit form',
    bytes: post('/l/unknown1', 'application/x-www-form-urlencoded', 'password='),
    withinMs: BODY_MS,
  },
  {
    what: 'upload',
    bytes: post(
      '/api/links/upload',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
    ),
    withinMs: RATE_MS,
  },
];

export const slowBodies: Row = {
  name: 'slow-bodies',
  isLong: true,
  attack: 'bodies at a byte every 5 s, and a download at 100 bytes a second',
  mustBe: 'JSON and forms end with 408 within 30 s; uploads and downloads below the minimum rate are cut off',
  run: onVictim(
    async (victim) => {
      const shortCode = await uploadFile(victim, Buffer.alloc(20 * 1000 ** 2, 'x'));
      const senders = SENDERS.map(async ({ what, bytes, withinMs }): Promise<Figure[]> => {
        const socket = await openQuietly(victim);
        await writeAll(socket, bytes);
        const stop = drip(socket, 'x');
        const { result, ms } = await timed(() => firstStatus(socket, withinMs + 5_000));
        stop();
        socket.destroy();
        return [figure.status(`slow ${what}`, result, 408), figure.ms(`time to its end`, ms, withinMs)];
      });
      const reader = async (): Promise<Figure[]> => {
        const socket = await openQuietly(victim);
        await writeAll(socket, encode({ path: `/l/${shortCode}` }));
        const { ms } = await timed(() => readSlowly(socket, RATE_MS + 5_000));
        const cutOff = (): number => (victim.output.stdout.includes('download_broken_off') ? 1 : 0);
        await pause(200);
        const figures: Figure[] = [
          figure.count('slow downloads that are cut off', cutOff(), 1),
          figure.ms('time to its end', ms, RATE_MS),
        ];
        socket.destroy();
        return figures;
      };
      return (await Promise.all([...senders, reader()])).flat();
    },
    [MIN_RATE],
  ),
};

/** Reads 100 bytes a second until the connection breaks or the time is over. */
async function readSlowly(socket: Socket, forMs: number): Promise<void> {
  socket.pause();
  let isClosed = false;
  socket.once('close', () => {
    isClosed = true;
  });
  const deadline = performance.now() + forMs;
  while (!isClosed && performance.now() < deadline) {
    await pause(1_000);
    socket.read(100);
    // A socket that is not read does not notice a reset; a byte towards the server does.
    if (!socket.destroyed) socket.write('\r\n');
  }
}
