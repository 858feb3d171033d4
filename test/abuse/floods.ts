import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fillStore } from '../../bench/support/data-set.ts';
import { processorMsOf } from '../../bench/support/processes.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { figure } from '../drive/report.ts';
import { encode, openQuietly, writeAll } from '../drive/sockets.ts';
import { send } from '../support/http-client.ts';
import { createLink, revokeLink } from '../support/links.ts';
import {
  measureAttack,
  onVictim,
  openVictims,
  type Row,
  type Scene,
  scaled,
  startVictim,
  timed,
  type Victim,
} from './victim.ts';

const PASSWORD = 'the right password';
/** Less than a tenth of what one Argon2id hash of the service costs. */
const MAX_MS_WITHOUT_HASH = 5;

/** The senders of wrong passwords, and whether they wait for their responses. */
type Guessers = {
  flags?: string[];
  addressOf: (index: number) => string;
  hangUp: boolean;
  /** The longest time for the right password. */
  rightMs: number;
};

/** Sends visits with wrong passwords, `together` at a time. Returns the connections of the clients that wait. */
async function guess(
  victim: Victim,
  shortCode: string,
  { addresses, hangUp, together = 100 }: { addresses: readonly string[]; hangUp: boolean; together?: number },
): Promise<Socket[]> {
  const waiting: Socket[] = [];
  for (let start = 0; start < addresses.length; start += together) {
    const guesses = addresses.slice(start, start + together).map(async (address, index) => {
      const socket = await openQuietly(victim);
      const headers = { 'x-forwarded-for': address, 'x-link-password': `guess ${index}` };
      await writeAll(socket, encode({ path: `/l/${shortCode}`, headers }));
      await new Promise((resolve) => setTimeout(resolve, 5)); // the service has read it
      if (hangUp) socket.destroy();
      else waiting.push(socket);
    });
    await Promise.all(guesses);
  }
  return waiting;
}

const addressOf = (index: number): string => `203.0.${100 + (index >> 8)}.${index & 255}`;

/** Opens a link with the right password. Without the timeout of the tests' client: an unbounded queue takes a minute. */
async function openRight(victim: Victim, shortCode: string, address: string) {
  const headers = { 'x-link-password': PASSWORD, 'x-forwarded-for': address };
  const { ms, result } = await timed(() =>
    fetch(`${victim.url}/l/${shortCode}`, { headers, redirect: 'manual' }),
  );
  return { ms, status: result.status };
}

async function runPasswords(scene: Scene, { flags = [], addressOf, hangUp, rightMs }: Guessers) {
  const victim = await startVictim(scene, flags);
  const shortCode = await createLink(victim, { password: PASSWORD });
  const otherLink = await createLink(victim, { password: PASSWORD });
  const addresses = Array.from({ length: scaled(1_500, scene) }, (_, index) => addressOf(index));
  let right = { ms: Number.NaN, status: 0 };
  let other = right;
  const figures = await measureAttack(victim, async () => {
    const waiting = await guess(victim, shortCode, { addresses, hangUp });
    other = await openRight(victim, otherLink, '198.51.100.76');
    right = await openRight(victim, shortCode, '198.51.100.77');
    for (const socket of waiting) socket.destroy();
  });
  return [
    figure.ms('the right password of another link', other.ms, Math.min(rightMs, 2_000)),
    figure.status('its status', other.status, 302),
    figure.ms('the right password', right.ms, rightMs),
    figure.status('its status', right.status, 302),
    ...figures,
  ];
}

export const pipelining: Row = {
  name: 'pipelining',
  attack: 'one connection pipelines 50,000 GET /l/a and reads nothing until all are sent',
  mustBe: 'liveness under 100 ms',
  run: onVictim(async (victim, scene) => {
    const requests = scaled(50_000, scene);
    const pipeline = (count: number): string => String(encode({ path: '/l/a' })).repeat(count);
    const few = await openQuietly(victim);
    let responses = 0;
    few.on('data', (chunk: Buffer) => {
      responses += chunk.toString('latin1').split('HTTP/1.1 404').length - 1;
    });
    few.write(pipeline(20));
    const figures = await measureAttack(
      victim,
      async () => {
        // The service may close a connection that sends far more than a client does.
        const socket = await openQuietly(victim);
        socket.write(pipeline(requests));
        await pause(3_000);
        socket.resume();
        await pause(2_000);
        socket.destroy();
      },
      { livenessMs: 100 },
    );
    few.destroy();
    return [figure.count('responses to 20 pipelined requests', responses, 20), ...figures];
  }),
};

export const passwords: Row = {
  name: 'passwords',
  isLong: true,
  attack:
    '1,500 wrong passwords from one address, without a limit of guesses; then the right ones from others',
  mustBe: 'the right password within 1 s, also of another link, because clients take turns',
  run: (scene) =>
    runPasswords(scene, {
      flags: ['--app.limits.wrong-passwords=none'],
      addressOf: () => '203.0.113.5',
      hangUp: false,
      rightMs: 1_000,
    }),
};

export const passwordsSpread: Row = {
  name: 'passwords-spread',
  isLong: true,
  attack: '1,500 wrong passwords from 1,500 addresses, clients hang up; then the right ones',
  mustBe:
    'the right password opens the link within 7 s, not 1 s: guesses of many clients delay it by up to 5 s; that of another link within 2 s',
  run: (scene) => runPasswords(scene, { addressOf, hangUp: true, rightMs: 7_000 }),
};

/** The number of times that another link is opened during an attack. */
const OPENS = 6;

export const passwordsHeld: Row = {
  name: 'passwords-held',
  isLong: true,
  attack:
    '3,000 wrong passwords from 300 addresses for one link, clients stay; another link is opened meanwhile',
  mustBe: 'the right passwords of the other link open it within 2 s',
  run: onVictim(async (victim, scene) => {
    const [attacked, other] = [
      await createLink(victim, { password: PASSWORD }),
      await createLink(victim, { password: PASSWORD }),
    ];
    const agent = new Agent({ keepAlive: true, maxSockets: 1_200 }); // more than the queue takes
    const opened: Awaited<ReturnType<typeof openRight>>[] = [];
    const figures = await measureAttack(victim, async () => {
      const guesses = Array.from({ length: scaled(3_000, scene) }, (_, index) => {
        const headers = { 'x-link-password': 'a guess', 'x-forwarded-for': addressOf(index % 300) };
        return send(victim, `/l/${attacked}`, { headers, agent }).catch(() => undefined); // it may wait too long
      });
      await pause(1_000); // the queue is full
      for (let open = 0; open < OPENS; open++) {
        opened.push(await openRight(victim, other, `198.51.100.${open}`));
        await pause(200);
      }
      agent.destroy();
      await Promise.all(guesses);
    });
    return [
      figure.ms('the slowest right password of another link', Math.max(...opened.map(({ ms }) => ms)), 2_000),
      figure.count('those that opened it', opened.filter(({ status }) => status === 302).length, OPENS),
      ...figures,
    ];
  }),
};

export const hashing: Row = {
  name: 'hashing',
  attack: 'passwords for revoked links, and passwords of 30 KB',
  mustBe: 'nothing is hashed that cannot succeed',
  run: onVictim(async (victim) => {
    const revoked = await createLink(victim, { password: PASSWORD });
    await revokeLink(victim, revoked);
    const active = await createLink(victim, { password: PASSWORD });
    const count = 15; // further guesses at one link are delayed
    const cost = async (shortCode: string, password: string): Promise<number> => {
      for (let warmUp = 0; warmUp < 50; warmUp++) await send(victim, '/l/unknown1');
      const before = processorMsOf(victim.pid);
      for (let sent = 0; sent < count; sent++) {
        const headers = { 'x-link-password': password, 'x-forwarded-for': `203.0.113.${sent}` };
        await send(victim, `/l/${shortCode}`, { headers });
      }
      return (processorMsOf(victim.pid) - before) / count;
    };
    const forRevoked = await cost(revoked, 'guess of a revoked link');
    const forLong = await cost(active, 'x'.repeat(30_000));
    return [
      figure.ms('CPU for a revoked link', forRevoked, MAX_MS_WITHOUT_HASH),
      figure.ms('CPU for 30 KB', forLong, MAX_MS_WITHOUT_HASH),
    ];
  }),
};

export const statistics: Row = {
  name: 'statistics',
  isLong: true,
  attack: '150 statistics over a range of 300,000 records, abandoned; then one more',
  mustBe: 'later statistics do not wait for abandoned ones',
  async run(scene) {
    const arena = await openVictims(scene);
    const filled = await arena.startInstance();
    filled.signal('SIGTERM');
    await filled.exited;
    const store = await openSqliteStore({ path: filled.databasePath });
    await fillStore(store, { links: 1_000, records: scaled(300_000, scene) });
    await store.close();
    const victim = await arena.startInstance();
    const path = '/api/stats/access/summary?start=2000-01-01T00:00:00Z&end=2100-01-01T00:00:00Z';
    const one = await timed(() => send(victim, path));
    let after = { ms: Number.NaN, result: 0 };
    const figures = await measureAttack(victim, async () => {
      for (let sent = 0; sent < scaled(150, scene); sent++) {
        const socket = await openQuietly(victim);
        await writeAll(socket, encode({ path }));
        setTimeout(() => socket.destroy(), 20);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      after = await timed(async () => {
        const response = await fetch(`${victim.url}${path}`);
        await response.text();
        return response.status;
      });
    });
    return [
      figure.ms('a statistic alone', one.ms),
      figure.ms('a statistic after the attack', after.ms, Math.max(1_000, 6 * one.ms)),
      figure.status('its status', after.result, 200),
      ...figures,
    ];
  },
};
