import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startClients } from '../drive/clients.ts';
import { type Figure, figure } from '../drive/report.ts';
import { send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { IN_MEMORY, startOwnServer } from '../support/own-postgres.ts';
import { temporaryDirectory } from '../support/service.ts';
import { type Row, type Scene, scaled, startVictim, type Victim } from './victim.ts';

const FLAGS = ['--app.limits.unknown-codes=1/PT1H', '--app.limits.wrong-passwords=1/PT1H'];
const CLIENTS = 20;
/** As long as an unknown code's may be, and different each time. */
const userAgentOf = (index: number): string => `${index} `.padEnd(500, 'u');

/** The places where a flood leaves bytes, besides the log. */
type Store = { name: string; databaseUrl?: string; sizeBytes(): Promise<number> };

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

/** Floods a service whose store exists, and stops it, which records what was refused. */
async function measureFlood(
  scene: Scene,
  { name, databaseUrl, sizeBytes }: Store,
  directory: string,
  { status, send: sendFlood }: { status: number; send: Flood },
): Promise<Figure[]> {
  const count = scaled(10_000, scene);
  const start = () => startVictim(scene, FLAGS, directory, databaseUrl);
  const stop = async (victim: Victim): Promise<void> => {
    victim.signal('SIGTERM');
    await victim.exited;
  };
  const first = await start();
  await sendFlood(first, 10); // otherwise the first rows of each table would count
  await stop(first);
  const before = await sizeBytes();
  const victim = await start();
  const [logBefore, refused] = [victim.output.stdout.length, await sendFlood(victim, count)];
  await stop(victim);
  await pause(200);
  const logBytes = victim.output.stdout.length - logBefore;
  const each = (bytes: number): number => bytes / count;
  return [
    figure.count(`${status} with ${name}`, refused, count),
    { what: 'bytes of database for each', value: each((await sizeBytes()) - before), unit: 'bytes' },
    { what: 'bytes of log for each', value: each(logBytes), unit: 'bytes' },
    {
      what: 'bytes of both for each',
      value: each((await sizeBytes()) - before + logBytes),
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
    const directory = temporaryDirectory(scene.cleanup);
    const files = ['', '-wal'].map((end) => `${directory}/postern.db${end}`);
    const sqlite: Store = {
      name: 'SQLite',
      sizeBytes: async () =>
        files.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0),
    };
    const server = await startOwnServer(IN_MEMORY);
    const client = new pg.Client({ connectionString: server.url });
    scene.cleanup.after(async () => {
      await client.end(); // first: a server that stops ends its connections with an error
      await server.stop();
    });
    await client.connect();
    const postgres: Store = {
      name: 'PostgreSQL',
      databaseUrl: server.url,
      async sizeBytes() {
        const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
        return Number(rows[0]?.bytes);
      },
    };
    const visits = { status: 429, send: flood };
    return [
      ...(await measureFlood(scene, sqlite, directory, visits)),
      ...(await measureFlood(scene, sqlite, directory, { status: 401, send: floodWithKeys })),
      ...(await measureFlood(scene, postgres, temporaryDirectory(scene.cleanup), visits)),
    ];
  },
};
