import pg from 'pg';
import { quantile } from '../../../bench/support/figures.ts';
import { openSchema } from '../../support/postgres-server.ts';
import { type Arena, postgresOf } from '../arena.ts';
import type { Entry } from '../clients.ts';
import { planAttempt, planRevocation } from '../requests.ts';
import { createPrivateLink } from './private-links.ts';
import { removeStrays } from './remove-strays.ts';

/** Ends the server as a crash would, and starts it again. */
export async function postgresKilled(arena: Arena): Promise<void> {
  const { server } = postgresOf(arena);
  await server.crash();
  await arena.hold();
  await server.start();
}

/** Stops the server as an administrator does, and starts it again. */
export async function postgresStopped(arena: Arena): Promise<void> {
  const { server } = postgresOf(arena);
  await server.shutDown();
  await arena.hold();
  await server.start();
}

const NOTICED_AFTER_MS = 1_000;

/** Lets the standby take over from a server that crashed, as a failover manager does. */
export async function postgresFailover(arena: Arena): Promise<void> {
  const parts = postgresOf(arena);
  const { server, standby, schema } = parts;
  if (!standby) throw new Error('This fault needs a standby');
  arena.endedAt = performance.now();
  await server.crash();
  await arena.hold(NOTICED_AFTER_MS);
  const promoted = openSchema(standby.url, schema.name);
  arena.cleanup.after(() => promoted.close());
  await promoted.query('SELECT pg_promote()');
  parts.schema = promoted;
}

const CUT_EVERY_MS = 250;
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'postern'`;

/** Ends the sessions of the service, again and again. */
export async function postgresConnectionsCut(arena: Arena): Promise<void> {
  const { schema } = postgresOf(arena);
  const until = performance.now() + arena.holdMs;
  while (performance.now() < until) {
    await schema.query(CUT);
    await arena.hold(CUT_EVERY_MS);
  }
}

const WAITING_VISITS = 4;
const WAITING_REVOCATIONS = 8;
const MAX_COMPARED = 1_000;
/**
 * A stall makes others wait for the lock, which is seconds. A ratio alone would judge a few milliseconds on an idle
 * machine; a bound alone would not notice a delay below it.
 */
const OTHERS_P99 = { ratio: 5, atLeastMs: 250 };

/** Locks one link from another session, while clients visit and revoke it. */
export async function rowLocked(arena: Arena): Promise<void> {
  const { clients } = arena;
  const shortCode = await createPrivateLink(arena);
  await arena.hold(); // for the figure without a lock
  const session = new pg.Client({ connectionString: postgresOf(arena).schema.url });
  await session.connect();
  await session.query('BEGIN');
  await session.query('SELECT 1 FROM link WHERE short_code = $1 FOR UPDATE', [shortCode]);
  const from = performance.now();
  let isLocked = true;
  const visit = () => planAttempt('open', shortCode, clients.nextAgent());
  const revoke = () => planRevocation(shortCode, clients.nextAgent());
  const waiting = [...Array(WAITING_VISITS).fill(visit), ...Array(WAITING_REVOCATIONS).fill(revoke)].map(
    async (plan: typeof visit | typeof revoke) => {
      while (isLocked) await clients.sendOne(plan());
    },
  );
  await arena.hold();
  judgeOthers(arena, shortCode, from);
  isLocked = false;
  await Promise.all(waiting);
  await session.query('ROLLBACK');
  await session.end();
}

/** Compares the requests for other links with those of the same load before the lock. */
function judgeOthers({ clients, patience, report, note }: Arena, lockedCode: string, from: number): void {
  const now = performance.now();
  const others = clients.history.entries.filter(({ shortCode }) => shortCode !== lockedCode);
  const locked = others.filter(({ sentAt }) => sentAt >= from);
  // The first requests of a service are slow, and its load is sent without pause.
  const before = others.filter(({ outcome }) => outcome && outcome.at < from).slice(-MAX_COMPARED);
  const p99Of = (entries: readonly Entry[]): number =>
    quantile(
      entries.map(({ sentAt, outcome }) => (outcome?.at ?? now) - sentAt),
      0.99,
    );
  const [beforeMs, lockedMs] = [p99Of(before), p99Of(locked)];
  const atMostMs = Math.max(beforeMs * OTHERS_P99.ratio, OTHERS_P99.atLeastMs) * patience;
  const text = `While one link was locked, the p99 of ${locked.length} requests for others was ${lockedMs.toFixed(1)} ms, and ${beforeMs.toFixed(1)} ms before`;
  note(text);
  if (!(lockedMs <= atMostMs)) report(`${text}: it must be at most ${atMostMs.toFixed(1)} ms`);
  const errors = locked.filter(({ outcome }) => outcome && (!('status' in outcome) || outcome.status >= 500));
  if (errors.length > 0) report(`While one link was locked, ${errors.length} requests for others failed`);
}

const NEW_ADDRESSES = 20;

/** Replaces the database by a copy of some seconds ago, as a restore or a failover to a late standby does. */
export async function postgresRestored(arena: Arena): Promise<void> {
  const { clients } = arena;
  const { server } = postgresOf(arena);
  await clients.pause();
  await server.shutDown();
  await server.save();
  await server.start();
  const from = performance.now();
  clients.resume();
  await clients.waitForResponses(NEW_ADDRESSES);
  await visitFromNewAddresses(arena);
  await arena.hold();
  await clients.pause();
  await server.shutDown();
  await server.restore();
  const until = performance.now();
  arena.forgive(from, until);
  clients.forget(from, until);
  await server.start();
  await removeStrays(arena);
  clients.resume();
  await clients.waitForResponses(NEW_ADDRESSES);
  await visitFromNewAddresses(arena);
}

/** Visits from addresses that no other request has. */
async function visitFromNewAddresses({ clients }: Arena): Promise<void> {
  const [shortCode = ''] = clients.history.links.keys();
  for (let number = 1; number <= NEW_ADDRESSES; number++) {
    const planned = planAttempt('open', shortCode, clients.nextAgent());
    planned.headers['x-forwarded-for'] = `198.51.100.${number}`;
    await clients.sendOne(planned);
  }
}
