import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { openForReading } from './connection.ts';
import { prepareStatistics } from './statistics.ts';

/** A thread of its own for the statistics: a range over years of audit holds up neither requests nor the writer. */
function openStatistics({ path }: { path: string }) {
  const db = openForReading(path);
  return {
    ...prepareStatistics(db),
    ready: (_: null) => {},
  };
}
export type StatisticsOperations = ReturnType<typeof openStatistics>;

if (parentPort) serveCalls(parentPort, openStatistics(workerData));
