import type { AccessResult } from '../../src/core/model/verdict.ts';
import type { Subject } from './compare.ts';
import { CONNECTIONS, type Load, runLoad } from './load.ts';
import { KEY, type Server } from './processes.ts';

/** Makes the service ask for keys, and apply the limits that are off by default. Others are on anyway. */
export const GUARDED_FLAGS = [
  '--app.access=keys',
  '--app.limits.creations=1000000/PT1H',
  '--app.limits.uploads=1000000/PT1H',
];

/** Returns a bare server under a load. */
export function bareNode(server: Server, load: Load, name = 'bare node:http'): Subject {
  return {
    name,
    async measure(seconds) {
      const processorMsBefore = server.processorMs();
      const result = await runLoad(server, load, seconds);
      return {
        ...result,
        processorUs: ((server.processorMs() - processorMsBefore) * 1000) / result.requests,
      };
    },
  };
}

/**
 * Returns the service under a load.
 *
 * @param count returns a number that each right response must increase, to prove that it was committed
 */
export function postern(
  server: Server,
  load: Load,
  { name = 'Postern', count }: { name?: string; count: (server: Server) => Promise<number> },
): Subject {
  return instances([server], load, { name, count });
}

/** Returns several instances on one database, which share the connections of a load evenly. */
export function instances(
  servers: readonly [Server, ...Server[]],
  load: Load,
  { name, count }: { name: string; count: (server: Server) => Promise<number> },
): Subject {
  const share = { ...load, connections: (load.connections ?? CONNECTIONS) / servers.length };
  const processorMs = () => sum(servers.map((server) => server.processorMs()));
  return {
    name,
    async measure(seconds) {
      const [countBefore, processorMsBefore] = [await count(servers[0]), processorMs()];
      const results = await Promise.all(servers.map((server) => runLoad(server, share, seconds)));
      const requests = sum(results.map((result) => result.requests));
      const processorUs = ((processorMs() - processorMsBefore) * 1000) / requests;
      const counted = (await count(servers[0])) - countBefore;
      if (counted < requests) {
        throw new Error(`Only ${counted} of ${requests} responses were committed`);
      }
      return {
        rate: sum(results.map(({ rate }) => rate)),
        // The maximum over the instances: quantiles of separate samples cannot be combined.
        p50Ms: Math.max(...results.map(({ p50Ms }) => p50Ms)),
        p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
        processorUs,
      };
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns a function that counts the audit records of one result. */
export function recordsOf(result: AccessResult) {
  return async (server: Server): Promise<number> => {
    const counts = await getJson<{ result: string; count: number }[]>(server, '/api/stats/access/by-result');
    return counts.find((row) => row.result === result)?.count ?? 0;
  };
}

/** Returns the number of links in each state. */
export function linksByStatus(server: Server): Promise<{ active: number; expired: number; revoked: number }> {
  return getJson(server, '/api/stats/links');
}

/** Creates a link to a constant target and returns its short code. */
export async function createLink(server: Server, restrictions: { password?: string } = {}): Promise<string> {
  const response = await fetch(`${server.url}/api/links`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ targetUrl: 'https://example.com/', ...restrictions }),
  });
  return shortCodeIn(response);
}

/** Returns the short code in the response to a creation. */
export async function shortCodeIn(response: Response): Promise<string> {
  const text = await response.text();
  if (response.status !== 201) throw new Error(`A link was not created: ${response.status} ${text}`);
  const { shortCode }: { shortCode: string } = JSON.parse(text);
  return shortCode;
}

async function getJson<Body>(server: Server, path: string): Promise<Body> {
  const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${KEY}` } });
  if (response.status !== 200) throw new Error(`${path}: status ${response.status}`);
  return (await response.json()) as Body; // as the API reference declares
}
