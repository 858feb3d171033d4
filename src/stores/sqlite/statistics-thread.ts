import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { createFindEnded } from '../sql/ended-links.ts';
import { createErasureReads } from '../sql/erase.ts';
import { createHistory } from '../sql/history.ts';
import { createLinkList } from '../sql/link-list.ts';
import { SQLITE } from '../sql/query.ts';
import { createStatistics } from '../sql/statistics.ts';
import { createHeldLinks } from '../sql/teams.ts';
import { openForReading } from './connection.ts';
import { prepareQuery } from './query.ts';

// A thread of its own, so that a range over years of audit blocks neither requests nor the writer.

/** The numbers of half a million addresses take 15 MB, and a range looks up those at its ends at random. */
const CACHE_KIB = 32_768;

/** Returns the operations that read much: the statistics, the history and the list. */
function openReports(path: string) {
  const db = openForReading(path);
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  const query = prepareQuery(db);
  return {
    ...createStatistics(query, SQLITE),
    ...createHistory(query, SQLITE),
    ...createLinkList(query, SQLITE),
    ...createErasureReads(query, SQLITE),
    ...createHeldLinks(query),
    findEnded: createFindEnded(query),
  };
}
export type ReportOperations = ReturnType<typeof openReports>;

if (parentPort) serveCalls(parentPort, openReports(String(workerData)));
