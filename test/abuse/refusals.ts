import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arena } from '../drive/arena.ts';
import { startClients } from '../drive/clients.ts';
import { type Figure, figure } from '../drive/report.ts';
import { send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { openVictims, type Row, type Scene, scaled, type Victim } from './victim.ts';

const FLAGS = ['--app.limits.unknown-codes=1/PT1H', '--app.limits.wrong-passwords=1/PT1H'];
const CLIENTS = 20;
/** As long as an unknown code's may be, and different each time. */
const userAgentOf = (index: number): string => `${index} `.padEnd(500, 'u');

type Flood = (victim: Victim, count: number) => Promise<number>;

/** Sends requests of several clients at once. Returns how many got a status. */
async function countStatus(
  victim: Victim,
  { count, status }: { count: number; status: number },
  toRequest: (index: number) => [path: string, headers: Record<string, string>],
): Promise<number> {
  let [sent, refused] = [0, 0];
  const clients = startClients(CLIENTS, async (agent) => {
    if (sent >= count) return false;
    const [path, headers] = toRequest(sent++);
    if ((await send(victim, path, { agent, headers })).status === status) refused += 1;
    return true;
  });
  await clients.ended;
  return refused;
}

/** Sends attempts that limits refuse: half on codes that differ each time, half on one link with a password. */
const flood: Flood = async (victim, count) => {
  const shortCode = await createLink(victim, { password: 'the right password' });
  const guess = { 'x-link-password': 'a guess', 'x-forwarded-for': '203.0.113.21' };
  const unknown = { 'x-forwarded-for': '203.0.113.22' };
  await openLink(victim, shortCode, guess);
  await openLink(victim, 'unknown', unknown);
  return countStatus(victim, { count, status: 429 }, (index) => {
    const [path, more] = index % 2 === 0 ? [`/l/unknown${index}`, unknown] : [`/l/${shortCode}`, guess];
    return [path, { ...more, 'user-agent': userAgentOf(index) }];
  });
};

/** Sends requests with keys that do not exist. */
const floodWithKeys: Flood = (victim, count) =>
  countStatus(victim, { count, status: 401 }, (index) => [
    '/api/stats/links',
    { authorization: `Bearer ${index}` },
  ]);

/** Returns the bytes of a database. */
async function sizeBytes({ postgres, databasePath }: Arena): Promise<number> {
  const [row] = (await postgres?.schema.query('SELECT pg_database_size(current_database()) AS bytes')) ?? [];
  if (row) return Number(row['bytes']);
  const files = [databasePath, `${databasePath}-wal`].filter((path) => existsSync(path));
  return files.reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Floods a service whose store exists, and stops it, which records what was refused. */
async function measureFlood(
  scene: Scene,
  arena: Arena,
  { status, send: sendFlood }: { status: number; send: Flood },
): Promise<Figure[]> {
  const count = scaled(10_000, scene);
  const stop = async (victim: Victim): Promise<void> => {
    victim.signal('SIGTERM');
    await victim.exited;
  };
  const first = await arena.startInstance();
  await sendFlood(first, 10); // otherwise the first rows of each table would count
  await stop(first);
  const before = await sizeBytes(arena);
  const victim = await arena.startInstance();
  const [logBefore, refused] = [victim.output.stdout.length, await sendFlood(victim, count)];
  await stop(victim);
  await pause(200);
  const logBytes = victim.output.stdout.length - logBefore;
  const each = (bytes: number): number => bytes / count;
  return [
    figure.count(`${status} with ${arena.store}`, refused, count),
    { what: 'bytes of database for each', value: each((await sizeBytes(arena)) - before), unit: 'bytes' },
    { what: 'bytes of log for each', value: each(logBytes), unit: 'bytes' },
    {
      what: 'bytes of both for each',
      value: each((await sizeBytes(arena)) - before + logBytes),
      unit: 'bytes',
      atMost: 100,
    },
  ];
}

export const refusals: Row = {
  name: 'refusals',
  attack:
    '10,000 visits of clients over their limits, each with another user agent of 500 characters; as many wrong keys',
  mustBe: 'at most 100 bytes of database and log for each',
  async run(scene) {
    const sqlite = await openVictims(scene, FLAGS);
    const visits = { status: 429, send: flood };
    return [
      ...(await measureFlood(scene, sqlite, visits)),
      ...(await measureFlood(scene, sqlite, { status: 401, send: floodWithKeys })),
      ...(await measureFlood(scene, await openVictims(scene, FLAGS, 'postgres'), visits)),
    ];
  },
};
