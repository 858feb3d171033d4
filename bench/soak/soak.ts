import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
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
import { type MixedLoad, startMixedLoad } from './mixed-load.ts';
import { REPORT_INTERVAL_MS } from './report-memory.ts';
import { type Sample, takeSample } from './samples.ts';

const MEBIBYTE = 1024 ** 2;
const MAX_SHOWN_ERRORS = 20;
const MAX_SHOWN_CHARACTERS = 500;
const FILLING_AT_ONCE = 16;
const SEED = 20_261_122;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    'warm-up-minutes': { type: 'string', default: '3' },
    links: { type: 'string', default: String(MAX_LINKS) },
    rate: { type: 'string', default: String(Math.round(DEFAULT_PER_SECOND)) },
    store: { type: 'string', default: 'sqlite' },
    help: { type: 'boolean', default: false },
  },
});
const options = {
  minutes: Number(values.minutes),
  warmUpMinutes: Number(values['warm-up-minutes']),
  links: Number(values.links),
  rate: Number(values.rate),
};
const isValid =
  Object.values(options).every((value) => value > 0) && ['sqlite', 'postgres'].includes(values.store);
if (values.help || !isValid) {
  print(
    `npm run soak -- [--minutes=20] [--warm-up-minutes=3] [--links=${MAX_LINKS}] [--rate=${Math.round(DEFAULT_PER_SECOND)}] [--store=sqlite|postgres]

Runs the service as \`npm start\` does, under a mixed load at a steady rate of actions a second, and watches its
memory. First it creates and opens as many links as the service caches, and warms up. Then memory, descriptors and
threads must stay flat: the median of the last quarter at most 10 % above that of the first. No action may fail, and at
most 1 % may be skipped or sent again. Linux only.

The load, in actions a minute at the default rate:
${ACTIONS.map(({ name, perMinute }) => `  ${String(perMinute).padStart(6)}  ${name}`).join('\n')}`,
  );
  process.exit(values.help ? 0 : 1);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Returns whether everything was as it must be. */
async function soak(scratch: Scratch): Promise<boolean> {
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
    await fillCaches(scene);
    const samples: Sample[] = [];
    const errors: string[] = [];
    const load = startMixedLoad(scene, options.rate);
    const place = { pid: service.pid, reportPath, databasePath: join(service.directory, 'postern.db') };
    print(toLine(COLUMNS.map(({ title }) => title)));
    const warmUp = Math.ceil((options.warmUpMinutes * 60_000) / REPORT_INTERVAL_MS);
    const count = warmUp + Math.ceil((options.minutes * 60_000) / REPORT_INTERVAL_MS);
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
    errors.push(...(await endLoad(load)), ...(await logErrors(service)));
    return report(samples.slice(warmUp), errors);
  } finally {
    client.close();
  }
}

/** Creates and opens links, several at once, until the service has filled its caches. */
async function fillCaches(scene: Scene): Promise<void> {
  const startedAt = performance.now();
  const fill = async (): Promise<void> => {
    while (scene.redirects.length < options.links) await addOpenedLink(scene);
  };
  await Promise.all(Array.from({ length: FILLING_AT_ONCE }, fill));
  print(
    `${scene.redirects.length} links created and opened in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
}

async function endLoad(load: MixedLoad): Promise<string[]> {
  await load.stop();
  return load.take().errors;
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

function report(samples: readonly Sample[], errors: readonly string[]): boolean {
  print('\nMedian of the first and of the last quarter:');
  const trends = findTrends(samples);
  for (const { what, first, last, isJudged, isFlat } of trends) {
    const verdict = isJudged ? (isFlat ? 'ok: at most 1.10' : 'MISSED: at most 1.10') : '';
    const show = (value: number) =>
      (what.endsWith('Bytes') ? `${mebibytes(value)} MiB` : value.toFixed(1)).padStart(10);
    print(
      `  ${what.padEnd(18)}${show(first)}${show(last)}  ${(last / first).toFixed(2)}  ${verdict}`.trimEnd(),
    );
  }
  print(
    `  errors            ${String(errors.length).padStart(10)}${errors.length > 0 ? '  MISSED: none' : '  ok: none'}`,
  );
  const counts = Map.groupBy(errors, (error) => error.slice(0, MAX_SHOWN_CHARACTERS));
  for (const [error, same] of [...counts].slice(0, MAX_SHOWN_ERRORS)) print(`    ${same.length} × ${error}`);
  const shares = findShares(samples);
  for (const { what, count, share, isSmall } of shares)
    print(
      `  ${what.padEnd(18)}${String(count).padStart(10)}  ${(share * 100).toFixed(2)} % of actions, ${isSmall ? 'ok' : 'MISSED'}: at most 1 %`,
    );
  return (
    errors.length === 0 &&
    shares.every(({ isSmall }) => isSmall) &&
    trends.every(({ isJudged, isFlat }) => isFlat || !isJudged)
  );
}

function toLine(cells: string[]): string {
  return cells.map((cell, index) => cell.padStart((COLUMNS[index]?.title.length ?? 0) + 1)).join(' ');
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = (await inScratch(soak)) ? 0 : 1;
