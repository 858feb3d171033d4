import type { Requester, StatisticsStore, TimeRange, WorkQueue } from '../links/ports.ts';

/** The queues of statistics: those that read the audit, which may take long, and those that read rollups. */
export type StatisticsQueues = { audit: WorkQueue; rollups: WorkQueue };

/** Returns the statistics of a store for one requester, each in the queue of its kind. */
export function queueStatistics(
  statistics: StatisticsStore,
  { audit, rollups }: StatisticsQueues,
  requester: Requester,
): StatisticsStore {
  const queueOf = ({ start, end }: TimeRange) => (start === null && end === null ? rollups : audit);
  return {
    accessTotals: (range) => queueOf(range).run(requester, () => statistics.accessTotals(range)),
    hourly: (range) => queueOf(range).run(requester, () => statistics.hourly(range)),
    daily: (range) => queueOf(range).run(requester, () => statistics.daily(range)),
    overTime: (unit, range) => rollups.run(requester, () => statistics.overTime(unit, range)),
    linkCounts: () => rollups.run(requester, () => statistics.linkCounts()),
    topLinks: (limit) => rollups.run(requester, () => statistics.topLinks(limit)),
    securityExceptions: (limit) => rollups.run(requester, () => statistics.securityExceptions(limit)),
  };
}
