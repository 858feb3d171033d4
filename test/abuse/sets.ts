import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../bench/support/figures.ts';
import { startClients } from '../drive/clients.ts';
import { type Figure, figure } from '../drive/report.ts';
import { json, member, send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { createSetLink } from '../support/uploads.ts';
import { onVictim, peakMemory, type Row, type Scene, scaled, type Victim } from './victim.ts';

const FILES = 10_000;
const CONNECTIONS = 20;
const ATTACK_MS = 5_000;
const BROWSER = { accept: 'text/html' };

type Set = { code: string; lease: string };

/** Creates a link to a set of the largest number of files, and opens it as a browser does. */
async function createSet(victim: Victim, files: number): Promise<Set> {
  const code = await createSetLink(victim, files);
  const { headers } = await openLink(victim, code, BROWSER);
  return { code, lease: new URL(String(headers.location), `${victim.url}/l/`).pathname };
}

/** The requests that cost as much as the set has files. */
const REQUESTS: Record<string, (victim: Victim, set: Set, agent: Agent) => Promise<{ status: number }>> = {
  pages: (victim, { lease }, agent) => send(victim, lease, { headers: BROWSER, agent }),
  'headers of the ZIP': (victim, { lease }, agent) =>
    send(victim, `${lease}set.zip`, { method: 'HEAD', agent }),
  'directories of the ZIP': (victim, { lease }, agent) =>
    send(victim, `${lease}set.zip`, { headers: { range: 'bytes=-50000' }, agent }),
  'lists of the API': (victim, { code }, agent) => send(victim, `/api/links/${code}/files`, { agent }),
};

/** Returns the 99th percentile of the times of redirects while requests are sent, and how many of those failed. */
async function measure(victim: Victim, sets: readonly Set[], name: string, scene: Scene): Promise<Figure[]> {
  const request = REQUESTS[name];
  if (!request) throw new Error(`no request ${name}`);
  const other = await createLink(victim);
  const endsAt = performance.now() + scaled(ATTACK_MS, scene);
  const failed: number[] = [];
  let sent = 0;
  const attackers = startClients(CONNECTIONS, async (agent) => {
    const set = sets[sent++ % sets.length];
    const { status } = set ? await request(victim, set, agent) : { status: 0 };
    if (status >= 400 || status === 0) failed.push(status);
    return performance.now() < endsAt;
  });
  const times: number[] = [];
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const { status } = await openLink(victim, other);
    if (status !== 302) failed.push(status);
    times.push(performance.now() - startedAt);
    await pause(10);
  }
  await attackers.ended;
  return [
    figure.ms(`p99 of other visitors, ${name}`, quantile(times, 0.99), 200),
    figure.count('failed requests', failed.length, 0),
  ];
}

export const largeSets: Row = {
  name: 'sets',
  isLong: true,
  attack: `20 connections that ask for pages, headers, directories and lists of sets of ${FILES} files, of one and of eight in turn`,
  mustBe: 'other visitors within 200 ms at the 99th percentile; a list of the API has at most 1,000 files',
  run: onVictim(async (victim, scene) => {
    const files = scaled(FILES, scene);
    const sets: Set[] = [];
    while (sets.length < 8) sets.push(await createSet(victim, files));
    const figures: Figure[] = [];
    for (const count of [1, 8])
      for (const name of Object.keys(REQUESTS)) {
        const [p99, ...rest] = await measure(victim, sets.slice(0, count), name, scene);
        figures.push({ ...(p99 as Figure), what: `${p99?.what} of ${count}` }, ...rest);
      }
    const list = json(await send(victim, `/api/links/${sets[0]?.code}/files`));
    const listed = member(list, 'files');
    const value = Array.isArray(listed) ? listed.length : 0;
    return [...figures, { what: 'files in a list', value, unit: 'count', atMost: 1_000 }, peakMemory(victim)];
  }),
};
