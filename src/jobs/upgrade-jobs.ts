import { setTimeout as pause } from 'node:timers/promises';
import type { LinkListKeeper } from '../links/link-list.ts';
import type { Clock, EarlierEntries, IndexBuilder, StatisticsStore } from '../links/ports.ts';
import { prepareSlices } from '../links/run-in-slices.ts';
import { prepareSealEarlierEntries } from '../links/seal-earlier-entries.ts';
import type { Log } from '../observability/log.ts';
import type { Job } from './scheduler.ts';

/** A failed build begins again after this time: each reads the whole table. */
const RETRY_AFTER_MS = 3_600_000;
/** How often the progress of a build is read. */
const PROGRESS_INTERVAL_MS = 5_000;
const LOGGED_EVERY_PERCENT = 10;
/** The total of the sealing is an estimate: changes of links are not in it, later attempts are. */
const MAX_UNFINISHED = 0.99;

/** What a store does in the background after an upgrade. */
export type UpgradedStore = EarlierEntries &
  LinkListKeeper & { statistics: StatisticsStore; indexes?: IndexBuilder | undefined };

type UpgradeParts = {
  store: UpgradedStore;
  clock: Clock;
  log: Log;
};

/**
 * Returns the work that an upgrade leaves for the time after the start, because it takes long on a large store. It has a
 * scheduler of its own, so that it delays no other job.
 */
export function upgradeJobs(parts: UpgradeParts): Job[] {
  const { indexes } = parts.store;
  return [...(indexes ? [indexJob(indexes, parts)] : []), sealJob(parts)];
}

/** Links of a slice. Creations of the embedded store wait for it. */
const LISTED_AT_ONCE = { least: 100, most: 400, step: 20 };

/**
 * Keeps the list of all links. After an upgrade it lists those that exist already, and logs its progress. It has a
 * scheduler of its own, because a search finds only some of the new links until it has indexed them.
 */
export function listJob({ store, clock, log }: UpgradeParts): Job {
  const runInSlices = prepareSlices(LISTED_AT_ONCE, {
    elapsedMs: () => performance.now(),
    pause: pauseUnlessAborted,
  });
  const logProgress = prepareProgressLog(log, 'list links');
  let total: number | undefined;
  return {
    name: 'link list',
    run: (stopping) =>
      runInSlices(async (limit) => {
        const { state, listed, isFilled } = await store.maintainList(limit, clock());
        if (listed > 0 && (!isFilled || total !== undefined)) {
          total ??= await countLinks(store.statistics);
          logProgress(isFilled ? 1 : Math.min(listed / total, MAX_UNFINISHED));
        }
        return state === 'MORE';
      }, stopping),
  };
}

async function countLinks(statistics: StatisticsStore): Promise<number> {
  return Object.values(await statistics.linkCounts()).reduce((sum, count) => sum + count, 0);
}

/** Builds what is missing. A build that is under way when the service stops goes on in the database. */
function indexJob(indexes: IndexBuilder, { clock, log }: UpgradeParts): Job {
  let isDone = false;
  let nextTryAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'index build',
    async run(stopping) {
      if (isDone || clock() < nextTryAt) return;
      nextTryAt = clock() + RETRY_AFTER_MS;
      for (const name of await indexes.findMissing()) {
        if (stopping.aborted) return;
        if ((await buildIndex(indexes, name, { log, stopping })) === 'BUILT') continue;
        nextTryAt = Number.NEGATIVE_INFINITY;
        return;
      }
      isDone = true;
    },
  };
}

async function buildIndex(
  indexes: IndexBuilder,
  name: string,
  { log, stopping }: { log: Log; stopping: AbortSignal },
): Promise<'BUILT' | 'WAIT'> {
  const logProgress = prepareProgressLog(log, `index ${name}`);
  const build = indexes.build(name);
  build.catch(() => {}); // awaited below, unless the service stops
  for (;;) {
    const built = await Promise.race([build, pauseUnlessAborted(PROGRESS_INTERVAL_MS, stopping)]);
    if (built === 'BUILT') logProgress(1);
    if (built !== undefined) return built;
    if (stopping.aborted) return 'WAIT';
    logProgress(await indexes.readProgress(name));
  }
}

function sealJob({ store, clock, log }: UpgradeParts): Job {
  const logProgress = prepareProgressLog(log, 'seal earlier entries');
  let hasSealed = false;
  let total: number | undefined;
  const sealEarlierEntries = prepareSealEarlierEntries({
    store,
    clock,
    elapsedMs: () => performance.now(),
    pause: pauseUnlessAborted,
    async onSlice({ state, sealedCount, entryCount }) {
      hasSealed ||= sealedCount > 0;
      if (!hasSealed) return;
      total ??= await countAttempts(store.statistics);
      logProgress(state === 'DONE' ? 1 : Math.min(entryCount / total, MAX_UNFINISHED));
    },
  });
  return { name: 'sealing', run: sealEarlierEntries };
}

async function countAttempts(statistics: StatisticsStore): Promise<number> {
  const { countsByResult } = await statistics.accessTotals({ start: null, end: null });
  return Object.values(countsByResult).reduce((sum, count) => sum + count, 0);
}

/** Returns a function that logs each further tenth of a step of the upgrade, from 0 to 1. */
function prepareProgressLog(log: Log, step: string): (share: number) => void {
  let logged = -1;
  return (share) => {
    const percent = Math.floor((share * 100) / LOGGED_EVERY_PERCENT) * LOGGED_EVERY_PERCENT;
    if (percent <= logged) return;
    logged = percent;
    log.write('info', 'upgrade_progress', { step, percent });
  };
}

async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<undefined> {
  await pause(ms, undefined, { signal }).catch(() => {}); // aborted
  return undefined;
}
