import { setTimeout as pause } from 'node:timers/promises';
import { encode } from '../../drive/sockets.ts';
import { type Arena, postgresOf, proxyOf } from '../arena.ts';
import { openQuietly } from '../raw-clients.ts';
import { planAttempt } from '../requests.ts';
import { createPrivateLink } from './private-links.ts';

/** Longer than the time-out of a statement, of 10 s, and the 2 s after which the service gives up a connection. */
const FROZEN_MS = 14_000;

/** Freezes every process of PostgreSQL. */
export async function postgresFrozen(arena: Arena): Promise<void> {
  const { server } = postgresOf(arena);
  await server.freeze();
  try {
    await arena.hold(FROZEN_MS);
  } finally {
    await server.thaw();
  }
}

const LEAVING_CLIENTS = 20;
/** The load has filled the batches in flight by then, so the attempts of these clients wait. */
const BEFORE_LEAVERS_MS = 300;
const STAY_MS = 500;

/** Lets clients open links of one view while PostgreSQL is frozen, and leave before it goes on. */
export async function clientsLeaveInSilence(arena: Arena): Promise<void> {
  const { clients } = arena;
  const { server } = postgresOf(arena);
  const creating = Array.from({ length: LEAVING_CLIENTS }, () => createPrivateLink(arena, { maxViews: 1 }));
  const codes = await Promise.all(creating);
  const agents = codes.map(() => clients.nextAgent());
  await server.freeze();
  try {
    await pause(BEFORE_LEAVERS_MS);
    await Promise.all(codes.map((shortCode, index) => openAndLeave(arena, shortCode, agents[index] ?? '')));
    await arena.hold();
  } finally {
    await server.thaw();
  }
  await clients.waitForResponses(codes.length);
  await clients.pause();
  const { audit } = await arena.readState();
  clients.resume();
  const spent = audit.filter(
    ({ userAgent, result }) => agents.includes(userAgent ?? '') && result === 'SUCCESS',
  );
  if (spent.length > 0)
    arena.report(`${spent.length} of ${codes.length} links were spent by clients that had left`);
}

async function openAndLeave(arena: Arena, shortCode: string, agent: string): Promise<void> {
  const planned = planAttempt('open', shortCode, agent);
  const entry = arena.clients.enter(planned);
  const socket = await openQuietly(arena);
  socket.write(encode(planned));
  await pause(STAY_MS);
  socket.destroy();
  entry.outcome = { at: performance.now(), error: 'left' };
}

const LOST_REPLIES = 2;

/** Swallows the confirmations of some commits, with their connections open. */
export async function commitReplyLost(arena: Arena): Promise<void> {
  const proxy = proxyOf(arena);
  const before = proxy.broken();
  proxy.breakNext(...Array.from({ length: LOST_REPLIES }, () => 'silent' as const));
  while (proxy.broken() < before + LOST_REPLIES) await arena.hold(10);
}
