import { setTimeout as delay } from 'node:timers/promises';
import { dataSet } from '../support/data-set.ts';
import { quantile, single } from '../support/figures.ts';
import { runLoad } from '../support/load.ts';
import type { Server } from '../support/processes.ts';
import { MEGABYTE, type Row, type Scenario, scaled, shortCount } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { recordsOf } from '../support/subjects.ts';

const MILESTONES = [1_000_000, 2_000_000, 3_000_000];
const SLICE_SECONDS = 2;
const SAMPLE_MS = 50;

/** V8 gives back the pages that a start or a load has freed only after some seconds without work. */
const SETTLE_MS = 60_000;

export const memory: Scenario = {
  name: 'memory',
  about:
    'three million attempts at full load over 100,000 links: resident memory before, during and after the load',
  run: (effort) =>
    inScratch(async (scratch) => {
      const links = await dataSet({ links: scaled(100_000, effort) });
      await (await scratch.startService({ dataSet: links })).stop(); // the next start finds its code compiled
      const service = await scratch.startService({ dataSet: links });
      await delay(SETTLE_MS);
      const rows: Row[] = [
        { ...mb('idle, a minute after the start', service.memory().nowBytes), goal: { atMost: 150 } },
      ];
      const load = { paths: links.paths, status: 302 };
      const countAttempts = recordsOf('SUCCESS');
      const milestoneBytes: number[] = [];
      let nowBytes = 0;
      for (const milestone of MILESTONES.map((count) => scaled(count, effort))) {
        while ((await countAttempts(service)) < milestone) {
          nowBytes = await sampleMemory(service, runLoad(service, load, SLICE_SECONDS));
        }
        milestoneBytes.push(nowBytes);
        rows.push(mb(`after ${shortCount(milestone)} attempts`, nowBytes));
      }
      await delay(SETTLE_MS);
      rows.push({ ...mb('a minute after the load', service.memory().nowBytes), goal: { atMost: 200 } });
      const [first = 0, , last = 0] = milestoneBytes;
      return [
        ...rows,
        {
          what: 'after the last / after the first',
          figures: single(last / first),
          unit: 'ratio',
          goal: { atMost: 1.1 },
        },
        { ...mb('peak', service.memory().peakBytes), goal: { atMost: 250 } },
      ];
    }),
};

/** Returns the median of the resident memory while a load runs: one sample may hit a garbage collection. */
async function sampleMemory(service: Server, load: Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(service.memory().nowBytes), SAMPLE_MS);
  await load.finally(() => clearInterval(timer));
  return quantile(samples, 0.5);
}

function mb(what: string, bytes: number): Row {
  return { what, figures: single(bytes / MEGABYTE), unit: 'MB' };
}
