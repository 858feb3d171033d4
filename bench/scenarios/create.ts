import { compare } from '../support/compare.ts';
import type { Scenario } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { bareNode, linksByStatus, postern } from '../support/subjects.ts';

export const create: Scenario = {
  name: 'create',
  about: 'POST /api/links, against bare node:http that reads the same JSON',
  run: (effort) =>
    inScratch(async (scratch) => {
      const baseline = await scratch.startBaseline('body');
      const service = await scratch.startService();
      const load = {
        paths: ['/api/links'],
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ targetUrl: 'https://example.com/campaigns/2026/autumn?utm_source=mail' }),
        status: 201,
      } as const;
      return compare({
        service: postern(service, load, { count: async (server) => (await linksByStatus(server)).active }),
        baseline: bareNode(baseline, load),
        unit: 'req/s',
        effort,
        goals: { ratio: 0.35 },
      });
    }),
};
