import { codeOf, messageOf } from '../error-details.ts';
import type { FileStore, StoreProbe } from '../links/ports.ts';
import { PROBLEMS, type Problem, STORAGE_PROBLEMS } from '../links/problem.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { withTimeout } from './with-timeout.ts';

/** Problems, each with what is known about this case. */
export type FoundProblems = ReadonlyMap<Problem, string | undefined>;

/** Finds the current problems of the database and the storage. */
export type FindProblems = () => Promise<FoundProblems>;

type ProblemParts = {
  store: StoreProbe;
  files: FileStore;
  log: Log;
  metrics: Pick<Metrics, 'problems' | 'databaseLogBytes' | 'failedCheckpoints'>;
};

/** Prepares finding problems. Each search sets the metric, and logs a problem once when it begins and once when it ends. */
export function prepareFindProblems(parts: ProblemParts): FindProblems {
  const { log, metrics } = parts;
  const measureLog = prepareMeasureLog(parts);
  let known: FoundProblems = new Map();
  let searching: Promise<FoundProblems> | undefined;

  async function search(): Promise<FoundProblems> {
    const [found] = await Promise.all([findProblems(parts, known), measureLog()]);
    for (const [problem, details] of found) {
      if (known.has(problem)) continue;
      const fields = { problem, explanation: PROBLEMS[problem], ...(details !== undefined && { details }) };
      log.write('error', 'problem_found', fields);
    }
    for (const problem of known.keys())
      if (!found.has(problem)) log.write('info', 'problem_solved', { problem });
    for (const problem of Object.keys(PROBLEMS)) metrics.problems.set({ problem }, 0);
    for (const problem of found.keys()) metrics.problems.set({ problem }, 1);
    known = found;
    return found;
  }

  return () => {
    searching ??= search().finally(() => {
      searching = undefined;
    });
    return searching;
  };
}

/** The errors of a file system without space or inodes, and of a quota that is used up. */
const FULL: unknown[] = ['ENOSPC', 'EDQUOT'];

/** A database that does not respond is unreachable, as health reports. It keeps the problems that were known. */
async function findProblems({ store, files }: ProblemParts, known: FoundProblems): Promise<FoundProblems> {
  const [ofStore, ofFiles] = await Promise.all([
    withTimeout(store.findProblems()).then(
      (found) => found.map((problem) => [problem, store.explainProblem?.(problem)] as const),
      () => [...known].filter(([problem]) => !STORAGE_PROBLEMS.includes(problem)),
    ),
    withTimeout(files.checkWritable()).then(
      () => [],
      (error: unknown) => [[storageProblemOf(error), messageOf(error)] as const],
    ),
  ]);
  return new Map([...ofStore, ...ofFiles]);
}

const storageProblemOf = (error: unknown): Problem =>
  FULL.includes(codeOf(error)) ? 'storage_full' : 'storage_not_writable';

/** Prepares the metrics of the write-ahead log. They keep their values while the store does not respond. */
function prepareMeasureLog({ store, metrics }: ProblemParts): () => Promise<void> {
  let known = 0;
  return async () => {
    if (!store.measureLog) return;
    const size = await withTimeout(store.measureLog()).catch(() => undefined);
    if (!size) return;
    metrics.databaseLogBytes.set(size.bytes);
    metrics.failedCheckpoints.inc(size.failedCheckpoints - known);
    known = size.failedCheckpoints;
  };
}
