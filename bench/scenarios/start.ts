import { dataSet } from '../support/data-set.ts';
import { figuresOf } from '../support/figures.ts';
import { scratchDirectory, startService } from '../support/processes.ts';
import type { Scenario } from '../support/scenario.ts';

export const startWithAMillionLinks: Scenario = {
  name: 'start',
  about: 'from the start of the process until it is healthy, with a million links',
  async run({ rounds }) {
    const { databasePath } = await dataSet(1_000_000, 0);
    const scratch = scratchDirectory();
    try {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const service = await startService(scratch.path, { databasePath });
        const health = await fetch(`${service.url}/actuator/health`);
        if (health.status !== 200) throw new Error(`Not healthy once ready: ${health.status}`);
        times.push(service.readyMs);
        await service.stop();
      }
      return [{ what: 'start to ready', figures: figuresOf(times), unit: 'ms', goal: { atMost: 2_000 } }];
    } finally {
      scratch.remove();
    }
  },
};
