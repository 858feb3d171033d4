import { compare } from '../support/compare.ts';
import type { Scenario } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { createLink, postern, recordsOf } from '../support/subjects.ts';

export const log: Scenario = {
  name: 'log',
  about: 'redirects of one link with the log at its default, into a file, against the log silent',
  run: (effort) =>
    inScratch(async (scratch) => {
      async function start(name: string, flags: string[]) {
        const server = await scratch.startService({ flags });
        const load = { paths: [`/l/${await createLink(server)}`], status: 302 };
        return postern(server, load, { name, count: recordsOf('SUCCESS') });
      }
      return compare({
        baseline: await start('log silent', ['--app.log.level=silent']),
        service: await start('log at its default', []),
        unit: 'req/s',
        effort,
        goals: { ratio: 0.85 },
      });
    }),
};
