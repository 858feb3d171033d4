import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { drive, print } from '../../test/drive/drive.ts';
import { number, one, type ValuesOf } from '../../test/drive/options.ts';
import type { Result } from '../../test/drive/report.ts';
import { seededInt } from '../../test/support/random.ts';
import type { Server } from '../support/processes.ts';
import { inScratch, type Scratch } from '../support/scratch.ts';
import {
  ACTIONS,
  addOpenedLink,
  DEFAULT_PER_SECOND,
  MAX_LINKS,
  prepareScene,
  type Scene,
} from './actions.ts';
import { createClient } from './client.ts';
import { findShares, findTrends } from './find-trends.ts';
import { startMixedLoad } from './mixed-load.ts';
import { REPORT_INTERVAL_MS } from './report-memory.ts';
import { type Sample, takeSample } from './samples.ts';

const MEBIBYTE = 1024 ** 2;
const MAX_SHOWN_CHARACTERS = 500;
const FILLING_AT_ONCE = 16;
const SEED = 20_261_122;
const RATE = Math.round(DEFAULT_PER_SECOND);

const USAGE = `npm run soak -- [--minutes=20] [--warm-up-minutes=3] [--links=${MAX_LINKS}] [--rate=${RATE}] [--store=sqlite|postgres]

Runs the service as \`npm start\` does, under a mixed load at a steady rate of actions a second, and watches its
memory. First it creates and opens as many links as the service caches, and warms up. Then memory, descriptors and
threads must stay flat: the median of the last quarter at most 10 % above that of the first. No action may fail, and at
most 1 % may be skipped or sent again. Linux only.

The load, in actions a minute at the default rate:
${ACTIONS.map(({ name, perMinute }) => `  ${String(perMinute).padStart(6)}  ${name}`).join('\n')}`;

const OPTIONS = {
  minutes: number(20),
  'warm-up-minutes': number(3),
  links: number(MAX_LINKS),
  rate: number(RATE),
  store: one(['sqlite', 'postgres']),
};
type Values = ValuesOf<typeof OPTIONS>;

async function soak(scratch: Scratch, values: Values): Promise<Result> {
  const reportPath = join(scratch.directory(), 'memory.jsonl');
  const reporter = new URL('report-memory.ts', import.meta.url);
  reporter.searchParams.set('to', reportPath);
  const databaseUrl = values.store === 'postgres' ? (await scratch.startPostgres()).url : undefined;
  const service = await scratch.startService({
    databaseUrl,
    nodeFlags: [`--import=${reporter.href}`],
    flags: ['--app.trusted-proxies=127.0.0.1'], // whose X-Forwarded-For makes the load many clients
  });
  const randomInt = seededInt(SEED);
  const client = createClient(service.url, randomInt);
  try {
    const scene = await prepareScene(client, randomInt);
    await fillCaches(scene, values.links);
    const samples: Sample[] = [];
    const errors: string[] = [];
    const load = startMixedLoad(scene, values.rate);
    const place = { pid: service.pid, reportPath, databasePath: join(service.directory, 'postern.db') };
    print(toLine(COLUMNS.map(({ title }) => title)));
    const warmUp = Math.ceil((values['warm-up-minutes'] * 60_000) / REPORT_INTERVAL_MS);
    const count = warmUp + Math.ceil((values.minutes * 60_000) / REPORT_INTERVAL_MS);
    for (let taken = 1; taken <= count; taken++) {
      await sleep(REPORT_INTERVAL_MS);
      const figures = load.take();
      errors.push(...figures.errors);
      const sample = takeSample(place, {
        ...figures,
        connections: client.connections(),
        resent: client.takeResent(),
      });
      samples.push(sample);
      print(toLine(COLUMNS.map(({ show }) => show(sample))) + (taken <= warmUp ? '  warm-up' : ''));
    }
    await load.stop();
    errors.push(...load.take().errors, ...(await logErrors(service)));
    const counts = Map.groupBy(errors, (error) => error.slice(0, MAX_SHOWN_CHARACTERS));
    const judged = samples.slice(warmUp);
    return {
      findings: [...counts].map(([error, same]) => `${same.length} × ${error}`),
      figures: [...findTrends(judged), ...findShares(judged)],
    };
  } finally {
    client.close();
  }
}

/** Creates and opens links, several at once, until the service has filled its caches. */
async function fillCaches(scene: Scene, links: number): Promise<void> {
  const startedAt = performance.now();
  const fill = async (): Promise<void> => {
    while (scene.redirects.length < links) await addOpenedLink(scene);
  };
  await Promise.all(Array.from({ length: FILLING_AT_ONCE }, fill));
  print(
    `${scene.redirects.length} links created and opened in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
}

/** Returns the lines of the service's log that no request of the load should cause. */
async function logErrors({ directory }: Server): Promise<string[]> {
  const found: string[] = [];
  for await (const line of createInterface({ input: createReadStream(`${directory}.log`) })) {
    if (/^\{"level":"(?:error|fatal)"|"msg":"(?:job_failed|download_broken_off)"/.test(line))
      found.push(line);
  }
  return found;
}

const COLUMNS: { title: string; show(sample: Sample): string }[] = [
  { title: 'RSS MiB', show: (sample) => mebibytes(sample.residentBytes) },
  { title: 'heap used', show: (sample) => mebibytes(sample.heapUsedBytes) },
  { title: 'heap total', show: (sample) => mebibytes(sample.heapTotalBytes) },
  { title: 'external', show: (sample) => mebibytes(sample.externalBytes) },
  { title: 'buffers', show: (sample) => mebibytes(sample.arrayBuffersBytes) },
  { title: 'other heaps', show: (sample) => mebibytes(sample.otherHeapsBytes) },
  { title: 'descriptors', show: (sample) => String(sample.descriptors) },
  { title: 'connections', show: (sample) => String(sample.connections) },
  { title: 'threads', show: (sample) => String(sample.threads) },
  { title: 'delay ms', show: (sample) => sample.longestDelayMs.toFixed(0) },
  { title: '-wal MiB', show: (sample) => mebibytes(sample.walBytes) },
  { title: 'p99 ms', show: (sample) => sample.p99Ms.toFixed(1) },
  { title: 'actions', show: (sample) => String(sample.actions) },
  { title: 'skipped', show: (sample) => String(sample.skipped) },
  { title: 'resent', show: (sample) => String(sample.resent) },
  { title: 'errors', show: (sample) => String(sample.errors) },
];

function toLine(cells: string[]): string {
  return cells.map((cell, index) => cell.padStart((COLUMNS[index]?.title.length ?? 0) + 1)).join(' ');
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0);
}

await drive({
  usage: USAGE,
  options: OPTIONS,
  plan: (values) => [
    {
      name: 'soak',
      about: `${values.minutes} minutes at ${values.rate} actions a second, on ${values.store}`,
      repeat: `soak -- ${Object.entries(values)
        .map(([name, value]) => `--${name}=${value}`)
        .join(' ')}`,
      run: () => inScratch((scratch) => soak(scratch, values)),
    },
  ],
});
