import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { createSummaryReads } from '../sql/build-summaries.ts';
import { SQLITE } from '../sql/query.ts';
import { createStatistics } from '../sql/statistics.ts';
import { openForReading } from './connection.ts';
import { prepareQuery } from './query.ts';
import { prepareSnapshot } from './snapshot.ts';

// A thread of its own, so that a range over years of audit blocks neither requests nor the writer.

function openStatistics(path: string) {
  const db = openForReading(path);
  const query = prepareQuery(db);
  const inSnapshot = prepareSnapshot(db, query);
  return {
    ...createStatistics(query, inSnapshot, SQLITE),
    ...createSummaryReads(query, inSnapshot, SQLITE),
  };
}
export type StatisticsOperations = ReturnType<typeof openStatistics>;

if (parentPort) serveCalls(parentPort, openStatistics(String(workerData)));
