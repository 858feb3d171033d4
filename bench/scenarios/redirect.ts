import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../support/compare.ts';
import { dataSet } from '../support/data-set.ts';
import { figuresOf } from '../support/figures.ts';
import { scratchDirectory, startBaseline, startService } from '../support/processes.ts';
import type { Effort, Row, Scenario } from '../support/scenario.ts';

const MEGABYTE = 1024 * 1024;

export const redirectHot: Scenario = {
  name: 'redirect-hot',
  about: 'one link, opened over and over, against a bare node:http server with a constant 302',
  run: (effort) => measureRedirects(effort, { links: 1, ratio: 0.35 }),
};

export const redirectSpread: Scenario = {
  name: 'redirect-spread',
  about: '100,000 links, opened at random, against a bare node:http server with a constant 302',
  run: (effort) => measureRedirects(effort, { links: 100_000, ratio: 0.25 }),
};

async function measureRedirects(
  effort: Effort,
  { links, ratio }: { links: number; ratio: number },
): Promise<Row[]> {
  const { databasePath, shortCodes } = await dataSet(links, 0);
  const scratch = scratchDirectory();
  cpSync(databasePath, join(scratch.path, 'postern.db'));
  const baseline = await startBaseline('redirect', scratch.path);
  const service = await startService(scratch.path);
  try {
    const load = { paths: shortCodes.map((shortCode) => `/l/${shortCode}`), status: 302 };
    const rows = await compare({
      service: { server: service, load },
      baseline: { server: baseline, load },
      directory: scratch.path,
      effort,
      goals: { ratio, p99Ms: 30 },
    });
    const peakMb = service.memory().peakBytes / MEGABYTE;
    return [
      ...rows,
      { what: 'peak memory', figures: figuresOf([peakMb]), unit: 'MB', goal: { atMost: 250 } },
    ];
  } finally {
    await Promise.all([service.stop(), baseline.stop()]);
    scratch.remove();
  }
}
