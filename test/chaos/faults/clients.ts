import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { encode } from '../../drive/sockets.ts';
import type { Arena } from '../arena.ts';
import { openQuietly } from '../raw-clients.ts';
import { type Planned, planAttempt, planCreation, planUpload } from '../requests.ts';
import { createPrivateLink } from './private-links.ts';

const VANISHING_CLIENTS = 120;
const MAX_STAY_MS = 30;
/** For the first byte of a response. */
const MAX_WAIT_MS = 2_000;
const FIRST_LINE_LENGTH = 15;

/** Sends requests of every kind, and destroys each connection at some moment of the request or the response. */
export async function clientsVanish(arena: Arena): Promise<void> {
  const { random, clients } = arena;
  let opened = 0;
  const url = await createPrivateLink(arena);
  const upload = planUpload(clients.nextAgent(), { sizeBytes: 400_000 });
  const file = await clients.create({ ...upload, isPrivate: true });
  const codes = [...clients.history.links.keys()];
  for (let client = 0; client < VANISHING_CLIENTS; client++) {
    const agent = clients.nextAgent();
    if (client % 4 === 0) {
      const opens = planAttempt('open', client % 8 === 0 ? url : file.shortCode, agent);
      if (await vanish(arena, opens, { afterFirstByte: true })) opened += 1;
      continue;
    }
    const shortCode = codes[random(codes.length)] ?? '';
    const kinds: Planned[] = [
      planUpload(agent, { sizeBytes: 400_000 }),
      planCreation(agent),
      planAttempt('open', shortCode, agent),
      planAttempt('right password', shortCode, agent),
    ];
    const planned = kinds[random(kinds.length)] ?? planCreation(agent);
    if (await vanish(arena, planned, { afterFirstByte: false })) opened += 1;
  }
  if (opened === 0) arena.report('No client vanished after the beginning of a response that opens a link');
  arena.note(
    `${opened} of ${VANISHING_CLIENTS} clients vanished after the beginning of a response that opens a link`,
  );
}

/** Returns whether the response that began opens a link, so that the attempt must be recorded as one. */
async function vanish(
  arena: Arena,
  planned: Planned,
  { afterFirstByte }: { afterFirstByte: boolean },
): Promise<boolean> {
  const { random, clients } = arena;
  const entry = clients.enter(planned);
  const socket = await openQuietly(arena);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received = (received + text).slice(0, FIRST_LINE_LENGTH);
  });
  const bytes = encode(planned);
  if (afterFirstByte) {
    socket.write(bytes);
    await Promise.race([once(socket, 'data'), pause(MAX_WAIT_MS)]);
  } else {
    socket.write(random(2) === 0 ? bytes : bytes.subarray(0, random(bytes.length)));
    await pause(random(MAX_STAY_MS));
  }
  socket.destroy();
  const at = performance.now();
  const isOpened = /^HTTP\/1\.1 (200|302) /.test(received);
  entry.outcome = isOpened
    ? { at, status: Number(received.slice(9, 12)), message: '' }
    : { at, error: 'left' };
  return isOpened;
}

const IDLE_CONNECTIONS = 5_000;
const OPENED_AT_ONCE = 100;

/** Opens connections that send nothing. */
export async function idleConnections(arena: Arena): Promise<void> {
  const sockets: Socket[] = [];
  while (sockets.length < IDLE_CONNECTIONS) {
    const opening = Array.from({ length: OPENED_AT_ONCE }, () => openQuietly(arena));
    sockets.push(...(await Promise.all(opening)));
  }
  await arena.hold();
  const closed = sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
  if (closed > 0) arena.report(`${closed} of ${IDLE_CONNECTIONS} idle connections were closed at once`);
  for (const socket of sockets) socket.destroy();
}
