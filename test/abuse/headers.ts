import { text } from 'node:stream/consumers';
import { processorMsOf } from '../../bench/support/processes.ts';
import { figure } from '../drive/report.ts';
import { openQuietly } from '../drive/sockets.ts';
import { filledValues } from '../support/filled-headers.ts';
import { createLink } from '../support/links.ts';
import { headersInSources } from '../support/read-headers.ts';
import { measureAttack, onVictim, type Row, scaled, type Victim } from './victim.ts';

/** The most processor time of a request with one filled header. */
const MAX_MS = 5;
/** Node refuses them when they are filled, and closes the connection before the other requests. */
const REFUSED_BY_NODE = ['content-length', 'transfer-encoding'];
/** Also what libraries and Node read. */
const NAMES = [
  ...[...headersInSources()].filter((name) => !name.startsWith('[') && !REFUSED_BY_NODE.includes(name)),
  ...['accept-encoding', 'connection', 'cookie', 'expect', 'forwarded', 'if-match', 'range', 'upgrade'],
];

/** Sends requests with one header on one connection, all at once. Returns the processor time of a response. */
async function send(victim: Victim, target: string, header: string, count: number): Promise<number> {
  const socket = await openQuietly(victim);
  const before = processorMsOf(victim.pid);
  const request = (more: string): string =>
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${more}${header}\r\n\r\n`;
  const received = text(socket);
  socket.write(Buffer.from(request('').repeat(count - 1) + request('Connection: close\r\n'), 'latin1'));
  const responses = (await received).split('HTTP/1.1 ').length - 1;
  if (responses === 0) throw new Error(`No response to ${header.slice(0, 40)}`);
  return (processorMsOf(victim.pid) - before) / responses;
}

/** Returns the least of some costs: the compiler and the garbage collector run at times of their own. */
async function leastCost(victim: Victim, target: string, header: string, count: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > MAX_MS; tries++) {
    least = Math.min(least, await send(victim, target, header, count));
  }
  return least;
}

export const bearer: Row = {
  name: 'bearer',
  attack: 'ten requests on one connection with Authorization: Bearer a, 31,000 spaces, b',
  mustBe: 'liveness under 100 ms',
  run: onVictim(async (victim) => {
    const header = `Authorization: Bearer a${' '.repeat(31_000)}b`;
    let perRequest = Number.NaN;
    const figures = await measureAttack(
      victim,
      async () => {
        perRequest = await send(victim, '/api/settings', header, 10);
      },
      { livenessMs: 100 },
    );
    return [figure.ms('CPU for a request', perRequest, MAX_MS), ...figures];
  }),
};

export const headers: Row = {
  name: 'headers',
  attack:
    'GET of a link and of the settings with every header that is read, 31 KB of spaces, commas, quotes, semicolons, backslashes or addresses',
  mustBe: 'at most 5 ms of CPU for each of these requests, and liveness under 100 ms',
  run: onVictim(async (victim, scene) => {
    const targets = [`/l/${await createLink(victim)}`, '/api/settings'];
    let worst = 0;
    const figures = await measureAttack(
      victim,
      async () => {
        for (const name of NAMES) {
          for (const value of filledValues(name)) {
            for (const target of targets) {
              const cost = await leastCost(victim, target, `${name}: ${value}`, scaled(10, scene));
              worst = Math.max(worst, cost);
            }
          }
        }
      },
      { livenessMs: 100 },
    );
    return [figure.ms('most CPU for a request', worst, MAX_MS), ...figures];
  }),
};
