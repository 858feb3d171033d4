import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { SQLITE } from '../sql/query.ts';
import { createStatistics } from '../sql/statistics.ts';
import { openForReading } from './connection.ts';
import { prepareQuery } from './query.ts';

// A thread of its own, so that a range over years of audit blocks neither requests nor the writer.

if (parentPort) {
  const path = String(workerData);
  serveCalls(parentPort, createStatistics(prepareQuery(openForReading(path)), SQLITE));
}
