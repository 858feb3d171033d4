import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { createHistory } from '../sql/history.ts';
import { SQLITE } from '../sql/query.ts';
import { createStatistics } from '../sql/statistics.ts';
import { openForReading } from './connection.ts';
import { prepareReadIdsOfLink } from './entries-of-link.ts';
import { prepareQuery } from './query.ts';

// A thread of its own, so that a range over years of audit blocks neither requests nor the writer.

/** Returns the operations that read much: the statistics and the history. */
function openReports(path: string) {
  const db = openForReading(path);
  const query = prepareQuery(db);
  return {
    ...createStatistics(query, SQLITE),
    ...createHistory(query, SQLITE, prepareReadIdsOfLink(db)),
  };
}
export type ReportOperations = ReturnType<typeof openReports>;

if (parentPort) serveCalls(parentPort, openReports(String(workerData)));
