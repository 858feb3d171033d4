import { compare } from '../support/compare.ts';
import type { Server } from '../support/processes.ts';
import { MIN_RATIO_AGAINST, type Scenario } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { bareNode, linksByStatus, postern } from '../support/subjects.ts';

export const create: Scenario = {
  name: 'create',
  about: 'POST /api/links, against bare node:http that reads the same JSON',
  run: (effort) =>
    inScratch(async (scratch) => {
      const load = {
        paths: ['/api/links'],
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ targetUrl: 'https://example.com/campaigns/2026/autumn?utm_source=mail' }),
        status: 201,
      } as const;
      const { against } = effort;
      const count = async (server: Server) => (await linksByStatus(server)).active;
      const baseline = against
        ? postern(await scratch.startService({ checkout: against }), load, { name: against, count })
        : bareNode(await scratch.startBaseline('body'), load);
      return compare({
        service: postern(await scratch.startService(), load, { count }),
        baseline,
        unit: 'req/s',
        effort,
        goals: { ratio: against ? MIN_RATIO_AGAINST : 0.35 },
      });
    }),
};
