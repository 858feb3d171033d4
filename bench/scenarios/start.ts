import { type DataSet, dataSet } from '../support/data-set.ts';
import { figuresOf } from '../support/figures.ts';
import { type Scenario, scaled, shortCount } from '../support/scenario.ts';
import { copyDataSet, inScratch, type Scratch } from '../support/scratch.ts';

export const start: Scenario = {
  name: 'start',
  about: 'from the start of the process until it is healthy, on a large store and on one with a single link',
  run: (effort) =>
    inScratch(async (scratch) => {
      const [links, records] = [scaled(1_000_000, effort), scaled(10_000_000, effort)];
      const large = directoryWith(scratch, await dataSet({ links, records }));
      const small = directoryWith(scratch, await dataSet({ links: 1 }));
      await startMs(scratch, small); // fills the compile cache
      await startMs(scratch, large);
      const times: { large: number; small: number }[] = [];
      for (let round = 0; round < effort.rounds; round++) {
        times.push({ small: await startMs(scratch, small), large: await startMs(scratch, large) });
      }
      return [
        { what: 'one link', figures: figuresOf(times.map((time) => time.small)), unit: 'ms' },
        {
          what: `${shortCount(links)} links, ${shortCount(records)} records`,
          figures: figuresOf(times.map((time) => time.large)),
          unit: 'ms',
          goal: { atMost: 1_500 },
        },
      ];
    }),
};

function directoryWith(scratch: Scratch, set: DataSet): string {
  const directory = scratch.directory();
  copyDataSet(set, directory);
  return directory;
}

async function startMs(scratch: Scratch, directory: string): Promise<number> {
  const startedAt = performance.now();
  const service = await scratch.startService({ directory });
  const { status } = await fetch(`${service.url}/actuator/health`);
  const tookMs = performance.now() - startedAt;
  if (status !== 200) throw new Error(`Not healthy when ready: ${status}`);
  await service.stop();
  return tookMs;
}
