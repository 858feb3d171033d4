import type { LinkListStore } from '../links/link-list.ts';
import type { HistoryStore, StatisticsStore } from '../links/ports.ts';
import { DatabaseUnavailableError } from '../links/unavailable.ts';
import { createLinkList, type ListReads } from './link-list.ts';

/** Resolves once the entries that are committed are projected. `position`: also into the rows of their links. */
export type Project = (of: 'counted' | 'position') => Promise<void>;

/** A read waits for so long: a round of the projector takes less than 50 ms. */
const MAX_WAIT_MS = 2_000;

/** Returns reads that see every attempt which was acknowledged before them. */
export function readProjected(
  reads: StatisticsStore & HistoryStore & ListReads,
  project: Project,
): { statistics: StatisticsStore; history: HistoryStore; list: LinkListStore } {
  const after =
    <Inputs extends unknown[], Result>(
      of: 'counted' | 'position',
      read: (...inputs: Inputs) => Promise<Result>,
    ) =>
    async (...inputs: Inputs): Promise<Result> => {
      await inTime(project(of));
      return read(...inputs);
    };
  const list = createLinkList(reads);
  return {
    statistics: {
      accessTotals: after('counted', reads.accessTotals),
      hourly: after('counted', reads.hourly),
      daily: after('counted', reads.daily),
      overTime: after('counted', reads.overTime),
      linkCounts: after('counted', reads.linkCounts),
      topLinks: after('counted', reads.topLinks),
      securityExceptions: after('counted', reads.securityExceptions),
    },
    history: {
      async readPage(query) {
        const { start, end } = query.range;
        if (start !== null || end !== null) await inTime(project('counted')); // it has which part of the log is of which hour
        return reads.readPage(query);
      },
    },
    list: { readPage: after('position', list.readPage) },
  };
}

async function inTime(projected: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = `The newest entries of the log were not projected within ${MAX_WAIT_MS} ms`;
    late.reject(new DatabaseUnavailableError(error));
  }, MAX_WAIT_MS);
  try {
    await Promise.race([projected, late.promise]);
  } finally {
    clearTimeout(timer);
    projected.catch(() => {}); // it may fail after the time is over
  }
}
