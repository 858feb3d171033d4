import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSet, dataSet } from '../support/data-set.ts';
import { figuresOf, quantile, single } from '../support/figures.ts';
import { pacedLoad } from '../support/paced-load.ts';
import type { Server } from '../support/processes.ts';
import { type Scenario, scaled } from '../support/scenario.ts';
import { copyDataSet, inScratch, type Scratch } from '../support/scratch.ts';
import { linksByStatus } from '../support/subjects.ts';

const ATTEMPTS_PER_SECOND = 1_000;
const WARM_UP_MS = 500;
const LINKS = 10_000;
const POLL_MS = 100;

type Waits = { longestMs: number; p99Ms: number };
type Round = { during: Waits; without: Waits; expiryMs: number };

export const expiry: Scenario = {
  name: 'expiry',
  about: `a million due links expire during ${ATTEMPTS_PER_SECOND} attempts per second, against nothing to expire`,
  run: (effort) =>
    inScratch(async (scratch) => {
      const due = scaled(1_000_000, effort);
      const set = await dataSet({ links: LINKS, due });
      const rounds: Round[] = [];
      for (let round = 0; round < effort.rounds; round++) rounds.push(await measureRound(scratch, set, due));
      const p99 = (phase: 'during' | 'without') => figuresOf(rounds.map((round) => round[phase].p99Ms));
      // The goal holds for every attempt: so the maximum of all rounds, not their median.
      const longest = (phase: 'during' | 'without') =>
        single(Math.max(...rounds.map((round) => round[phase].longestMs)));
      return [
        { what: 'p99 without expiry', figures: p99('without'), unit: 'ms' },
        { what: 'longest wait without expiry', figures: longest('without'), unit: 'ms' },
        { what: 'p99 during expiry', figures: p99('during'), unit: 'ms' },
        { what: 'longest wait during expiry', figures: longest('during'), unit: 'ms', goal: { atMost: 50 } },
        { what: 'expiry took', figures: figuresOf(rounds.map(({ expiryMs }) => expiryMs / 1000)), unit: 's' },
      ];
    }),
};

/** The job runs at the start of the service, so the second start on the same store finds nothing due. */
async function measureRound(scratch: Scratch, set: DataSet, due: number): Promise<Round> {
  const directory = scratch.directory();
  copyDataSet(set, directory);
  const expiring = await scratch.startService({ directory });
  let isOver = false;
  const expired = waitUntilExpired(expiring, due).finally(() => {
    isOver = true;
  });
  const [during, expiryMs] = await Promise.all([measureWaits(expiring, set.paths, () => !isOver), expired]);
  await expiring.stop();
  const quiet = await scratch.startService({ directory });
  const endsAt = performance.now() + WARM_UP_MS + expiryMs;
  const without = await measureWaits(quiet, set.paths, () => performance.now() < endsAt);
  await quiet.stop();
  return { during, without, expiryMs };
}

/** Returns the waits of attempts after a warm-up, so that none includes compilation. */
async function measureWaits(server: Server, paths: readonly string[], isOn: () => boolean): Promise<Waits> {
  const target = { url: server.url, paths };
  const warmUpEndsAt = performance.now() + WARM_UP_MS;
  await pacedLoad(target, { perSecond: ATTEMPTS_PER_SECOND, isOn: () => performance.now() < warmUpEndsAt });
  const waits = await pacedLoad(target, { perSecond: ATTEMPTS_PER_SECOND, isOn });
  return { longestMs: quantile(waits, 1), p99Ms: quantile(waits, 0.99) };
}

/** Resolves when the service's job has expired all links, with the duration that the job logged. */
async function waitUntilExpired(server: Server, due: number): Promise<number> {
  while ((await linksByStatus(server)).expired < due) await sleep(POLL_MS);
  for (;;) {
    // The job logs its line shortly after its last commit.
    const line = /^.*"secure_link_expiration_job".*$/m.exec(readFileSync(`${server.directory}.log`, 'utf8'));
    if (line) return (JSON.parse(line[0]) as { durationMs: number }).durationMs;
    await sleep(POLL_MS);
  }
}
