import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../calls.ts';
import { SQLITE } from '../sql/query.ts';
import { createReports } from '../sql/reads.ts';
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
    ...createReports(query, SQLITE),
    /** Returns the newest entry: the one writer commits them in their order. */
    async readSettled(): Promise<number> {
      const [row] = await query<{ seq: number | null }>('SELECT max(seq) AS seq FROM entry');
      return row?.seq ?? 0;
    },
  };
}
export type ReportOperations = ReturnType<typeof openReports>;

if (parentPort) serveCalls(parentPort, openReports(String(workerData)));
