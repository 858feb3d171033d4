import { once } from 'node:events';
import { codeOf, messageOf } from '../error-details.ts';
import type { Clock, FileStore, StoreProbe } from '../links/ports.ts';
import { MINOR_PROBLEMS, PROBLEMS, type Problem, STORAGE_PROBLEMS } from '../links/problem.ts';
import { DatabaseUnavailableError } from '../links/unavailable.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Problems, each with what is known about this case. */
export type FoundProblems = ReadonlyMap<Problem, string | undefined>;

/** Finds the current problems of the database and the storage. */
export type FindProblems = () => Promise<FoundProblems>;

/** Watches the database and the storage. */
export type ProblemWatch = {
  /** Each search sets the metric, and logs a problem once when it begins and once when it ends. */
  findProblems: FindProblems;
  /** Notes a request that was refused because the database cannot be used. It has no line of its own in the log. */
  noteRefusal(error: DatabaseUnavailableError): void;
  /** Logs an error of a job, or notes it where the database cannot be used. */
  reportJobError(job: string, error: unknown): void;
  stop(): void;
};

type ProblemParts = {
  store: StoreProbe;
  files: FileStore;
  log: Log;
  metrics: Pick<Metrics, 'problems' | 'databaseLogBytes' | 'failedCheckpoints' | 'projection'>;
  clock: Clock;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  startTimer: (onDue: () => void, delayMs: number) => () => void;
};

/** While a problem lasts, it is looked for at this interval, so that the log has its end in time. */
const SEARCH_AGAIN_MS = 1_000;

const isOfDatabase = (problem: Problem): boolean => !STORAGE_PROBLEMS.includes(problem);
const refusesRequests = (problem: Problem): boolean =>
  problem === 'projection_failing' || (isOfDatabase(problem) && !MINOR_PROBLEMS.includes(problem));

export function prepareProblemWatch(parts: ProblemParts): ProblemWatch {
  const { log, metrics, elapsedMs, startTimer } = parts;
  const measure = prepareMeasurements(parts);
  let known: FoundProblems = new Map();
  const beganAt = new Map<Problem, number>();
  let searching: Promise<FoundProblems> | undefined;
  let cancelNext: (() => void) | undefined;
  let isStopped = false;
  /** The error of the last request or job that failed since the last search. */
  let noted: string | undefined;
  let refusedRequests = 0;

  async function search(): Promise<FoundProblems> {
    cancelNext?.();
    cancelNext = undefined;
    const [found] = await Promise.all([findProblems(parts, known), measure()]);
    const lasting = new Map(found);
    // The database may have failed only for a moment, or only for some requests.
    if (noted !== undefined && ![...found.keys()].some(refusesRequests))
      lasting.set('database_unavailable', noted);
    for (const [problem, details] of lasting) if (!known.has(problem)) begin(problem, details);
    for (const problem of known.keys()) if (!lasting.has(problem)) end(problem);
    for (const problem of Object.keys(PROBLEMS)) metrics.problems.set({ problem }, 0);
    for (const problem of lasting.keys()) metrics.problems.set({ problem }, 1);
    if (![...lasting.keys()].some(refusesRequests)) refusedRequests = 0;
    known = lasting;
    noted = undefined;
    if (known.size > 0 && !isStopped) cancelNext = startTimer(() => void find(), SEARCH_AGAIN_MS);
    return found;
  }

  function begin(problem: Problem, details = isOfDatabase(problem) ? noted : undefined): void {
    beganAt.set(problem, elapsedMs());
    const fields = { problem, explanation: PROBLEMS[problem], ...(details !== undefined && { details }) };
    log.write('error', 'problem_found', fields);
  }

  function end(problem: Problem): void {
    const durationMs = Math.round(elapsedMs() - (beganAt.get(problem) ?? 0));
    log.write('info', 'problem_solved', { problem, durationMs, refusedRequests });
  }

  function find(): Promise<FoundProblems> {
    searching ??= search().finally(() => {
      searching = undefined;
    });
    return searching;
  }

  function note(error: DatabaseUnavailableError): void {
    noted = error.message;
    if (!cancelNext && !isStopped) void find();
  }

  return {
    findProblems: find,
    noteRefusal(error) {
      refusedRequests += 1;
      note(error);
    },
    reportJobError(job, error) {
      if (error instanceof DatabaseUnavailableError) note(error);
      else log.write('error', 'job_failed', { job, err: error });
    },
    stop() {
      isStopped = true;
      cancelNext?.();
    },
  };
}

/** The errors of a file system without space or inodes, and of a quota that is used up. */
const FULL: unknown[] = ['ENOSPC', 'EDQUOT'];

/** A database that does not respond keeps the problems that were known. */
async function findProblems({ store, files }: ProblemParts, known: FoundProblems): Promise<FoundProblems> {
  const [ofStore, ofFiles] = await Promise.all([
    withTimeout(store.findProblems()).then(
      (found) => found.map((problem) => [problem, store.explainProblem?.(problem)] as const),
      (error: unknown) => [
        ...[...known].filter(([problem]) => isOfDatabase(problem)),
        ['database_unavailable', messageOf(error)] as const,
      ],
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

/** Prepares the metrics of the log and the projector. They keep their values while the store does not respond. */
function prepareMeasurements({ store, metrics, clock }: ProblemParts): () => Promise<void> {
  const { projection } = metrics;
  let failedCheckpoints = 0;
  let failedRounds = 0;
  return async () => {
    const measuring = Promise.all([store.measureLog?.(), store.measureProjector(clock())]);
    const [log, projector] = await withTimeout(measuring).catch(() => []);
    if (log) {
      metrics.databaseLogBytes.set(log.bytes);
      metrics.failedCheckpoints.inc(log.failedCheckpoints - failedCheckpoints);
      failedCheckpoints = log.failedCheckpoints;
    }
    if (projector) {
      projection.waiting.set(projector.waitingEntries);
      projection.oldestAge.set(projector.oldestAgeSeconds);
      projection.roundDuration.set(projector.roundSeconds);
      projection.rejected.set(projector.rejected);
      projection.failures.inc(projector.failures - failedRounds);
      failedRounds = projector.failures;
    }
  };
}

/** A database or storage that is slower than this for a trivial request cannot serve requests either. */
const PROBE_TIMEOUT_MS = 2_000;

/** Rejects when a probe takes too long. */
export function withTimeout<T>(promise: Promise<T>): Promise<T> {
  const late = once(AbortSignal.timeout(PROBE_TIMEOUT_MS), 'abort').then((): never => {
    throw new Error(`No response within ${PROBE_TIMEOUT_MS} ms`);
  });
  return Promise.race([promise, late]);
}
