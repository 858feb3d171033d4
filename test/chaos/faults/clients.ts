import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from '../arena.ts';
import { encode, openQuietly } from '../raw-clients.ts';
import { type Planned, planAttempt, planCreation, planUpload } from '../requests.ts';

const VANISHING_CLIENTS = 120;
const MAX_STAY_MS = 30;

/** Sends requests of every kind, and destroys each connection at some moment of the request or the response. */
export async function clientsVanish(arena: Arena): Promise<void> {
  const { random, clients } = arena;
  const codes = [...clients.history.links.keys()];
  for (let client = 0; client < VANISHING_CLIENTS; client++) {
    const agent = clients.nextAgent();
    const shortCode = codes[random(codes.length)] ?? '';
    const kinds: Planned[] = [
      planUpload(agent, { sizeBytes: 400_000 }),
      planCreation(agent),
      planAttempt('open', shortCode, agent),
      planAttempt('right password', shortCode, agent),
    ];
    const planned = kinds[random(kinds.length)] ?? planCreation(agent);
    await vanish(arena, planned);
  }
}

async function vanish(arena: Arena, planned: Planned): Promise<void> {
  const { random, clients } = arena;
  const entry = clients.enter(planned);
  const socket = await openQuietly(arena);
  const bytes = encode(planned);
  socket.write(random(2) === 0 ? bytes : bytes.subarray(0, random(bytes.length)));
  if (random(3) === 0) await Promise.race([once(socket, 'readable'), pause(MAX_STAY_MS)]);
  else await pause(random(MAX_STAY_MS));
  socket.destroy();
  entry.outcome = { at: performance.now(), error: 'left' };
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
