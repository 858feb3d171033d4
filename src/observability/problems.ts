import { codeOf } from '../error-details.ts';
import type { FileStore, StoreProbe } from '../links/ports.ts';
import { PROBLEMS, type Problem } from '../links/problem.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { withTimeout } from './with-timeout.ts';

/** Finds the current problems of the database and the storage. */
export type FindProblems = () => Promise<ReadonlySet<Problem>>;

type ProblemParts = { store: StoreProbe; files: FileStore; log: Log; metrics: Pick<Metrics, 'problems'> };

/** Prepares finding problems. Each search sets the metric, and logs a problem once when it begins and once when it ends. */
export function prepareFindProblems(parts: ProblemParts): FindProblems {
  const { log, metrics } = parts;
  let known: ReadonlySet<Problem> = new Set();
  let searching: Promise<ReadonlySet<Problem>> | undefined;

  async function search(): Promise<ReadonlySet<Problem>> {
    const found = await findProblems(parts);
    for (const problem of found.difference(known))
      log.write('error', 'problem_found', { problem, explanation: PROBLEMS[problem] });
    for (const problem of known.difference(found)) log.write('info', 'problem_solved', { problem });
    for (const problem of Object.keys(PROBLEMS)) metrics.problems.set({ problem }, 0);
    for (const problem of found) metrics.problems.set({ problem }, 1);
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

/** A database that does not respond is no problem of this kind: health reports it as unreachable. */
async function findProblems({ store, files }: ProblemParts): Promise<ReadonlySet<Problem>> {
  const [ofStore, ofFiles] = await Promise.all([
    withTimeout(store.findProblems()).catch((): readonly Problem[] => []),
    withTimeout(files.checkWritable()).then(
      (): readonly Problem[] => [],
      (error: unknown): readonly Problem[] => [
        FULL.includes(codeOf(error)) ? 'storage_full' : 'storage_not_writable',
      ],
    ),
  ]);
  return new Set([...ofStore, ...ofFiles]);
}
