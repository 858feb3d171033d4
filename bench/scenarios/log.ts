import { compare } from '../support/compare.ts';
import type { Scenario } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { createLink, postern, recordsOf } from '../support/subjects.ts';

export const log: Scenario = {
  name: 'log',
  about: 'redirects of one link with the default log into a file, against a silent log',
  run: (effort) =>
    inScratch(async (scratch) => {
      async function start(name: string, flags: string[]) {
        const server = await scratch.startService({ flags });
        const load = { paths: [`/l/${await createLink(server)}`], status: 302 };
        return postern(server, load, { name, count: recordsOf('SUCCESS') });
      }
      return compare({
        baseline: await start('silent log', ['--app.log.level=silent']),
        service: await start('default log', []),
        unit: 'req/s',
        effort,
        goals: { ratio: 0.85 },
      });
    }),
};
