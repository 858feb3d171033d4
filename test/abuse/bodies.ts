import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { processorMsOf, startBaseline } from '../../bench/support/processes.ts';
import { type Figure, figure } from '../drive/report.ts';
import { ask, encode, firstStatus, openQuietly } from '../drive/sockets.ts';
import { send } from '../support/http-client.ts';
import { createLink, TARGET } from '../support/links.ts';
import { residentMemory } from '../support/process-figures.ts';
import { temporaryDirectory } from '../support/service.ts';
import {
  MEMORY_LIMIT_MIB,
  MIB,
  measureAttack,
  onVictim,
  type Row,
  type Scene,
  scaled,
  type Victim,
} from './victim.ts';

const MAX_RESIDENT_MIB = 350;
const MAX_DELAY_MS = 100;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data; boundary=b';

const post = (path: string, type: string, body: string, more: OutgoingHttpHeaders = {}): Buffer =>
  encode({ method: 'POST', path, headers: { 'content-type': type, ...more }, body });

function postTinyChunks(path: string, type: string, body: string): Buffer {
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('');
  return post(path, type, chunks, { 'transfer-encoding': 'chunked' });
}

const createJson = (members: object): Buffer =>
  post('/api/links', JSON_TYPE, JSON.stringify({ targetUrl: TARGET, ...members }));

const createBulk = (count: number, item: (index: number) => object): string =>
  JSON.stringify({ items: Array.from({ length: count }, (_, index) => item(index)) });

/** Waits until a service takes no more processor time than the probes of its liveness. */
async function untilIdle({ pid }: Victim): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; processorMsOf(pid) - before > 50; ) {
    before = processorMsOf(pid);
    await pause(500);
  }
}

/** Sends the same bytes on many connections at once. Returns the peak memory when the service has read them. */
async function sendOnMany(
  victim: Victim,
  { what, count, bytes, atMost }: { what: string; count: number; bytes: Buffer; atMost: number },
): Promise<Figure> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openQuietly(victim)));
  const sent = sockets.map((socket) =>
    Promise.race([
      new Promise((resolve) => socket.write(bytes, resolve)),
      firstStatus(socket, 60_000), // the service need not read all of what it refuses
    ]),
  );
  await Promise.all(sent);
  await untilIdle(victim);
  for (const socket of sockets) socket.destroy();
  const value = residentMemory(victim.pid).peakBytes / MIB;
  return figure.mebibytes(`peak memory with ${what}`, value, atMost);
}

/** Returns the least processor time that a server takes for a request, of three times. */
async function costOf(server: { url: string; pid: number }, request: Buffer): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = processorMsOf(server.pid);
    await ask(server, request, 60_000);
    costs.push(processorMsOf(server.pid) - before);
  }
  return Math.min(...costs);
}

const UNFINISHED = [
  { what: 'visit forms', path: '/l/x', type: FORM, begin: 'password=' },
  { what: 'JSON', path: '/api/links', type: JSON_TYPE, begin: '{"targetUrl":"' },
  { what: 'bulk requests', path: '/api/links/bulk', type: JSON_TYPE, begin: '{"items":["' },
  {
    what: 'uploads',
    path: '/api/links/upload',
    type: MULTIPART,
    begin: '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
  },
];

/** Returns what 1 MB in chunks of one byte costs, as a multiple of what a bare server takes. */
async function costOfTinyChunks(victim: Victim, { cleanup }: Scene): Promise<Figure> {
  const body = JSON.stringify({ targetUrl: TARGET, unknown: 'x'.repeat(1_000_000) });
  const request = Buffer.concat([postTinyChunks('/api/links', JSON_TYPE, body), Buffer.from('0\r\n\r\n')]);
  const bare = await startBaseline('body', temporaryDirectory(cleanup));
  cleanup.after(bare.stop);
  const value = (await costOf(victim, request)) / (await costOf(bare, request));
  return { what: 'CPU for 1 MB of them, of that of bare node:http', value, unit: 'times', atMost: 2 };
}

export const tinyChunks: Row = {
  name: 'tiny-chunks',
  attack: '200 unfinished bodies of 32,000 chunks of one byte on each route; whole ones of 1 MB',
  mustBe: `at most ${MAX_RESIDENT_MIB} MiB; at most twice the processor time of bare node:http`,
  run: onVictim(async (victim, scene) => {
    const figures: Figure[] = [];
    const attack = async (): Promise<void> => {
      for (const { what, path, type, begin } of UNFINISHED) {
        const bytes = postTinyChunks(path, type, begin.padEnd(32_000, 'x'));
        figures.push(
          await sendOnMany(victim, { what, count: scaled(200, scene), bytes, atMost: MAX_RESIDENT_MIB }),
        );
      }
    };
    // Node takes about 10 ms for 64 KiB of such chunks, of each connection in turn.
    const judged = await measureAttack(victim, attack, { livenessMs: 5_000 });
    return [...figures, await costOfTinyChunks(victim, scene), ...judged];
  }),
};

export const jsonBodies: Row = {
  name: 'json',
  attack: '200 unfinished JSON bodies of 1 MB; 250 whole ones of empty objects, and of links with passwords',
  mustBe: `at most ${MAX_RESIDENT_MIB} MiB`,
  run: onVictim(async (victim, scene) => {
    const bodies = [
      { what: 'unfinished JSON', count: 200, members: { note: 'x'.repeat(1e6) }, isWhole: false },
      { what: 'empty objects', count: 250, members: { unknown: Array(300_000).fill({}) } },
      { what: 'a password', count: 250, members: { password: 'x', unknown: Array(10_000).fill({}) } },
      { what: 'a password and spaces', count: 250, members: { password: 'x', label: `${' '.repeat(1e6)}x` } },
    ];
    const figures: Figure[] = [];
    const judged = await measureAttack(victim, async () => {
      for (const { what, count, members, isWhole = true } of bodies) {
        const bytes = createJson(members).subarray(0, isWhole ? undefined : -1);
        // Up to three hashes at once take 19 MiB each.
        const atMost = 'password' in members ? MEMORY_LIMIT_MIB : MAX_RESIDENT_MIB;
        figures.push(await sendOnMany(victim, { what, count: scaled(count, scene), bytes, atMost }));
      }
    });
    return [...figures, ...judged];
  }),
};

export const formParts: Row = {
  name: 'form-parts',
  attack: 'forms of 1 MB of delimiters, and of 190 parts with headers of 80 KB',
  mustBe: 'little more processor time than their bytes take to arrive',
  run: onVictim(async (victim) => {
    const disposition = 'Content-Disposition: form-data; name="a"';
    const headers = `--b\r\n${disposition}${";a*=utf-8''%c3%a9".repeat(4_500)}\r\n\r\nx\r\n`;
    const cost = async (what: string, body: string, atMost: number): Promise<Figure> => {
      const value = await costOf(victim, post('/api/links/upload', MULTIPART, body));
      return { what, value, unit: 'ms', atMost };
    };
    return [
      await cost('CPU for delimiters', '--b\r\n'.repeat(200_000), 40),
      await cost('CPU for headers of parts', `${headers.repeat(190)}--b--\r\n`, 300),
    ];
  }),
};

/** Returns different letters, each of which the URL parser looks for in the whole label. */
const letters = (count: number, first = 0): string =>
  String.fromCharCode(...Array.from({ length: count }, (_, n) => 0x4e00 + (((first + n) * 7) % 20_000)));

const BULK: { what: string; body: () => string }[] = [
  {
    what: 'labels of 1,300 letters',
    body: () => createBulk(900, (n) => ({ targetUrl: `https://${letters(1_300, n)}.example/` })),
  },
  {
    what: 'the largest links',
    body: () =>
      createBulk(1_000, (n) => ({
        targetUrl: `https://${letters(20, n)}.${letters(20, n + 99)}.example/`,
        label: 'é'.repeat(200),
        note: 'ñ\n'.repeat(250),
        recipient: 'ü'.repeat(200),
        tags: Array.from({ length: 20 }, (_, tag) => `t${n}x${tag}`.padEnd(50, 'é')),
      })),
  },
  {
    what: 'nested objects',
    body: () => {
      const members = Array.from({ length: 49_000 }, (_, n) => `{"${n.toString(36).padEnd(60, 'x')}":`);
      return `{"items":[{"targetUrl":"${TARGET}","unknown":${members.join('')}0${'}'.repeat(members.length)}}]}`;
    },
  },
  { what: 'empty arrays', body: () => `{"items":[${'[],'.repeat(1_390_000)}0]}` },
];

/** Opens a link again and again while others do something. Returns the longest time that this took. */
async function slowestVisit(victim: Victim, others: () => Promise<unknown>): Promise<number> {
  const shortCode = await createLink(victim);
  let isOver = false;
  const ending = others().finally(() => {
    isOver = true;
  });
  let worstMs = 0;
  while (!isOver) {
    const startedAt = performance.now();
    await send(victim, `/l/${shortCode}`);
    worstMs = Math.max(worstMs, performance.now() - startedAt);
    await pause(2);
  }
  await ending;
  return worstMs;
}

export const bulkItems: Row = {
  name: 'bulk-items',
  attack: 'bulk requests of up to 4 MB, each of the items that cost most in one way; headers Origin of 32 KB',
  mustBe: `others wait for at most ${MAX_DELAY_MS} ms`,
  run: onVictim(async (victim) => {
    const figures: Figure[] = [];
    const measure = async (what: string, request: Buffer): Promise<void> => {
      const value = await slowestVisit(victim, () => ask(victim, request, 60_000));
      figures.push(figure.ms(`slowest redirect, ${what}`, value, MAX_DELAY_MS));
    };
    const judged = await measureAttack(victim, async () => {
      for (const { what, body } of BULK) {
        await measure(what, post('/api/links/bulk', JSON_TYPE, body()));
        await measure(
          `${what}, keyed`,
          post('/api/links/bulk', JSON_TYPE, body(), { 'idempotency-key': what.length }),
        );
      }
      const origin = { origin: `http://${encodeURIComponent(letters(3_400))}` };
      await measure('20 headers Origin', Buffer.concat(Array(20).fill(post('/l/x', FORM, 'x', origin))));
    });
    return [...figures, ...judged];
  }),
};
