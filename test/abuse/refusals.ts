import { existsSync, statSync } from 'node:fs';
import { Agent } from 'node:http';
import pg from 'pg';
import { send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { IN_MEMORY, startOwnServer } from '../support/own-postgres.ts';
import { temporaryDirectory } from '../support/service.ts';
import { type Figure, pause, type Row, type Scene, scaled, startVictim, type Victim } from './victim.ts';

const FLAGS = ['--app.limits.unknown-codes=1/PT1H', '--app.limits.wrong-passwords=1/PT1H'];
const CLIENTS = 20;
/** As long as an unknown code's may be, and different each time. */
const userAgentOf = (index: number): string => `${index} `.padEnd(500, 'u');

/** Where a flood leaves bytes, besides the log. */
type Store = { name: string; databaseUrl?: string; sizeBytes(): Promise<number> };

/** Sends attempts that limits refuse: half on codes that differ each time, half on one link with a password. */
async function flood(victim: Victim, count: number): Promise<number> {
  const shortCode = await createLink(victim, { password: 'the right password' });
  const guess = { 'x-link-password': 'a guess', 'x-forwarded-for': '203.0.113.21' };
  const unknown = { 'x-forwarded-for': '203.0.113.22' };
  await openLink(victim, shortCode, guess);
  await openLink(victim, 'unknown', unknown);
  let [sent, refused] = [0, 0];
  const clients = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (sent < count) {
      const index = sent++;
      const [path, more] = index % 2 === 0 ? [`/l/unknown${index}`, unknown] : [`/l/${shortCode}`, guess];
      const headers = { ...more, 'user-agent': userAgentOf(index) };
      if ((await send(victim, path, { agent, headers })).status === 429) refused += 1;
    }
    agent.destroy();
  });
  await Promise.all(clients);
  return refused;
}

/** Floods a service whose store exists, and stops it, which records what was refused. */
async function measureFlood(
  scene: Scene,
  { name, databaseUrl, sizeBytes }: Store,
  directory: string,
): Promise<Figure[]> {
  const count = scaled(10_000, scene);
  const start = () => startVictim(scene, FLAGS, directory, databaseUrl);
  const stop = async (victim: Victim): Promise<void> => {
    victim.signal('SIGTERM');
    await victim.exited;
  };
  const first = await start();
  await flood(first, 10); // otherwise the first rows of each table would count
  await stop(first);
  const before = await sizeBytes();
  const victim = await start();
  const [logBefore, refused] = [victim.output.stdout.length, await flood(victim, count)];
  await stop(victim);
  await pause(200);
  const logBytes = victim.output.stdout.length - logBefore;
  const each = (bytes: number): number => bytes / count;
  return [
    { what: `429 with ${name}`, value: refused, unit: 'count', equals: count },
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
  attack: '10,000 visits of clients over their limits, each with another user agent of 500 characters',
  mustBe: 'at most 100 bytes of database and log for each',
  isShort: true,
  async run(scene) {
    const directory = temporaryDirectory(scene.cleanup);
    const files = ['', '-wal'].map((end) => `${directory}/postern.db${end}`);
    const sqlite: Store = {
      name: 'SQLite',
      sizeBytes: async () =>
        files.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0),
    };
    const server = await startOwnServer(IN_MEMORY);
    scene.cleanup.after(() => server.stop());
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    scene.cleanup.after(() => client.end());
    const postgres: Store = {
      name: 'PostgreSQL',
      databaseUrl: server.url,
      async sizeBytes() {
        const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
        return Number(rows[0]?.bytes);
      },
    };
    return [
      ...(await measureFlood(scene, sqlite, directory)),
      ...(await measureFlood(scene, postgres, temporaryDirectory(scene.cleanup))),
    ];
  },
};
