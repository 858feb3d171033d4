import { figuresOf } from '../support/figures.ts';
import { type LoadResult, runLoad } from '../support/load.ts';
import type { Row, Scenario } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { createLink } from '../support/subjects.ts';

const CONNECTIONS = [1, 4, 16, 64, 256, 1_000];

export const connections: Scenario = {
  name: 'connections',
  about: 'redirects of one link over 1 to 1,000 concurrent connections',
  run: (effort) =>
    inScratch(async (scratch) => {
      const server = await scratch.startService();
      const load = { paths: [`/l/${await createLink(server)}`], status: 302 };
      await runLoad(server, load, effort.seconds); // warms up
      const rows: Row[] = [];
      for (const count of CONNECTIONS) {
        const results: LoadResult[] = [];
        for (let round = 0; round < effort.rounds; round++) {
          results.push(await runLoad(server, { ...load, connections: count }, effort.seconds));
        }
        rows.push(
          { what: `${count} at once`, figures: figuresOf(results.map(({ rate }) => rate)), unit: 'req/s' },
          { what: 'p99', figures: figuresOf(results.map(({ p99Ms }) => p99Ms)), unit: 'ms' },
        );
      }
      return rows;
    }),
};
