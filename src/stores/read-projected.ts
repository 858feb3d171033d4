import { messageOf } from '../common/error-details.ts';
import { DatabaseUnavailableError } from '../core/model/unavailable.ts';
import type { LinkListStore } from '../core/ports/link-list.ts';
import type { HistoryStore } from '../core/ports/ports.ts';
import type { StatisticsStore } from '../core/ports/statistics.ts';
import type { ListReads } from './sql/link-list.ts';

/** `counted`: all projections but the rows of links and their ranks, see the table `projector` of SQLite. */
export type Projected = 'counted' | 'position';
/** Resolves once the entries that are committed are projected. */
export type Project = (of: Projected) => Promise<void>;

/** A read waits for so long: a round of the projector takes about 0.1 s, and seconds on an overloaded machine. */
const MAX_WAIT_MS = 10_000;

/** The reads of a store, and the operation that they wait for. */
export type ProjectedReads = StatisticsStore & HistoryStore & ListReads & { project: Project };

/** Returns reads that see every attempt which was acknowledged before them. */
export function readProjected({ project, ...reads }: ProjectedReads): {
  statistics: StatisticsStore;
  history: HistoryStore;
  list: LinkListStore;
} {
  const after =
    <Inputs extends unknown[], Result>(of: Projected, read: (...inputs: Inputs) => Promise<Result>) =>
    async (...inputs: Inputs): Promise<Result> => {
      await inTime(project(of));
      return read(...inputs);
    };
  return {
    statistics: {
      accessTotals: after('counted', reads.accessTotals),
      resultCounts: after('counted', reads.resultCounts),
      hourly: after('counted', reads.hourly),
      daily: after('counted', reads.daily),
      overTime: after('counted', reads.overTime),
      linkCounts: after('counted', reads.linkCounts),
      sentLinks: after('position', reads.sentLinks),
      topLinks: after('position', reads.topLinks), // the ranks are written with the rows of links
      securityExceptions: after('counted', reads.securityExceptions),
      viewSources: after('counted', reads.viewSources),
      attemptsOfLinks: after('position', reads.attemptsOfLinks), // the rows of links have where their histories end
      readLinks: reads.readLinks,
    },
    history: {
      async readPage(query) {
        const { start, end } = query.range;
        if (start !== null || end !== null) await inTime(project('counted')); // it has which part of the log is of which hour
        return reads.readPage(query);
      },
    },
    list: { readPage: after('position', reads.readList), readViews: reads.readViews },
  };
}

async function inTime(projected: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = `The newest entries of the log were not projected within ${MAX_WAIT_MS} ms`;
    late.reject(new DatabaseUnavailableError(error));
  }, MAX_WAIT_MS);
  const failed = projected.catch((cause: unknown) => {
    if (cause instanceof DatabaseUnavailableError) throw cause;
    const error = `The newest entries of the log could not be projected: ${messageOf(cause)}`;
    throw new DatabaseUnavailableError(error, { cause });
  });
  try {
    await Promise.race([failed, late.promise]);
  } finally {
    clearTimeout(timer);
    failed.catch(() => {}); // it may fail after the time is over
  }
}
