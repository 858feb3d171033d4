import { compare } from '../support/compare.ts';
import type { Load } from '../support/load.ts';
import type { Server } from '../support/processes.ts';
import type { Scenario } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { bareNode, createLink, postern, recordsOf } from '../support/subjects.ts';

// Responses other than a redirect: the same request repeated, against the same constant 302.

export const json: Scenario = repeatedRequest('json', 'the target as JSON, by Accept: application/json', {
  result: 'SUCCESS',
  load: async (server) => ({
    paths: [`/l/${await createLink(server)}`],
    headers: { accept: 'application/json' },
    status: 200,
  }),
});

export const denied: Scenario = repeatedRequest('denied', 'a revoked link, 410', {
  result: 'REVOKED',
  async load(server) {
    const path = `/l/${await createLink(server)}`;
    const { status } = await fetch(`${server.url}${path}`, { method: 'DELETE' });
    if (status !== 204) throw new Error(`The link was not revoked: ${status}`);
    return { paths: [path], status: 410 };
  },
});

export const unknown: Scenario = repeatedRequest('unknown', 'a code without a link, 404', {
  result: 'NOT_FOUND',
  load: async () => ({ paths: ['/l/NoSuchOn'], status: 404 }),
  // By default one client gets 300 of these responses in a minute. An older checkout ignores the variable.
  env: { APP_LIMITS_UNKNOWN_CODES: 'none' },
});

type RepeatedRequest = {
  result: Parameters<typeof recordsOf>[0];
  load: (server: Server) => Promise<Load>;
  /** Settings of the service. */
  env?: Record<string, string>;
};

function repeatedRequest(name: string, about: string, { result, load, env = {} }: RepeatedRequest): Scenario {
  return {
    name,
    about: `${about}, against bare node:http with a constant 302`,
    run: (effort) =>
      inScratch(async (scratch) => {
        const baseline = await scratch.startBaseline('redirect');
        const service = await scratch.startService({ env });
        const requests = await load(service);
        return compare({
          service: postern(service, requests, { count: recordsOf(result) }),
          baseline: bareNode(baseline, { ...requests, status: 302 }),
          unit: 'req/s',
          effort,
          goals: { ratio: 0.5 },
        });
      }),
  };
}
