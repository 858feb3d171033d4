import { messageOf } from '../common/error-details.ts';
import { MINOR_PROBLEMS, PROBLEMS, type Problem, STORAGE_PROBLEMS } from '../core/model/problem.ts';
import { StorageFullError, StorageUnavailableError, UnavailableError } from '../core/model/unavailable.ts';
import type { FileStore } from '../core/ports/file-store.ts';
import type { Clock, StartTimer, StoreProbe } from '../core/ports/ports.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Problems, each with what is known about this case. */
export type FoundProblems = ReadonlyMap<Problem, string | undefined>;

/** Finds the problems of the database and the storage, by a search that begins after the call. */
export type FindProblems = () => Promise<FoundProblems>;

/** Watches the database and the storage. */
export type ProblemWatch = {
  /** Each search sets the metric, and logs a problem once when it begins and once when it ends. */
  findProblems: FindProblems;
  /** Notes a request that was refused for this error. It has no line of its own in the log. */
  noteRefusal(error: UnavailableError): void;
  /** Logs an error of a job, or notes it where the database cannot be used. */
  reportJobError(job: string, error: unknown): void;
  stopWatching(): void;
};

type ProblemParts = {
  store: StoreProbe;
  files: FileStore;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  startTimer: StartTimer;
  /** Finds the problems of what is neither the database nor the storage, such as the mail server that takes codes. */
  findOtherProblems?: () => readonly (readonly [Problem, string])[];
};

/** While a problem lasts, it is looked for at this interval, so that the log has its end in time. */
const SEARCH_AGAIN_MS = 1_000;

const isOfDatabase = (problem: Problem): boolean => !STORAGE_PROBLEMS.includes(problem);
const refusesRequests = (problem: Problem): boolean =>
  problem === 'projection_failing' || !MINOR_PROBLEMS.includes(problem);

/** The reports of requests and jobs between two searches. */
type Noted = { problem: Problem; message: string | undefined; refusedRequests: number };
const explains = ({ problem }: Noted, found: Problem): boolean =>
  refusesRequests(found) && isOfDatabase(found) === isOfDatabase(problem);

export function prepareProblemWatch(parts: ProblemParts): ProblemWatch {
  const { log, startTimer } = parts;
  const measure = prepareMeasurements(parts);
  const report = prepareReport(parts);
  let known: FoundProblems = new Map();
  let cancelNext: (() => void) | undefined;
  let isStopped = false;
  const ofDatabase: Noted = { problem: 'database_unavailable', message: undefined, refusedRequests: 0 };
  const ofStorage: Noted = { problem: 'storage_unavailable', message: undefined, refusedRequests: 0 };

  const find = shareNextRun(async (): Promise<FoundProblems> => {
    cancelNext?.();
    cancelNext = undefined;
    // What is noted meanwhile belongs to the next search.
    const noted = { ofDatabase: { ...ofDatabase }, ofStorage: { ...ofStorage } };
    ofDatabase.message = undefined;
    ofStorage.message = undefined;
    const [found] = await Promise.all([findProblems(parts, known), measure()]);
    const lasting = new Map(found);
    // It may have failed only for a moment, or only for some requests.
    for (const each of Object.values(noted)) {
      const isExplained = [...found.keys()].some((problem) => explains(each, problem));
      if (each.message !== undefined && !isExplained) lasting.set(each.problem, each.message);
    }
    report({ before: known, now: lasting, ...noted });
    const hasEnded = (each: Noted) => ![...lasting.keys()].some((problem) => explains(each, problem));
    if (hasEnded(noted.ofDatabase)) ofDatabase.refusedRequests -= noted.ofDatabase.refusedRequests;
    if (hasEnded(noted.ofStorage)) ofStorage.refusedRequests -= noted.ofStorage.refusedRequests;
    known = lasting;
    if (known.size > 0 && !isStopped) cancelNext = startTimer(() => void find(), SEARCH_AGAIN_MS);
    return found;
  });

  function note(error: UnavailableError, refusedRequests: number): void {
    const isFull = error instanceof StorageFullError;
    const noted = isFull || error instanceof StorageUnavailableError ? ofStorage : ofDatabase;
    if (noted === ofStorage) noted.problem = isFull ? 'storage_full' : 'storage_unavailable';
    noted.message = error.message;
    noted.refusedRequests += refusedRequests;
    if (!cancelNext && !isStopped) void find();
  }

  return {
    findProblems: find,
    noteRefusal: (error) => note(error, 1),
    reportJobError(job, error) {
      if (error instanceof UnavailableError) note(error, 0);
      else log.write('error', 'job_failed', { job, err: error });
    },
    stopWatching() {
      isStopped = true;
      cancelNext?.();
    },
  };
}

/** Returns a function that runs work. All calls during a run share the next one, which sees what happened before them. */
function shareNextRun<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  function run(): Promise<T> {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }
  return () => {
    if (running === undefined) return run();
    next ??= running.then(run, run);
    return next;
  };
}

/** Prepares reporting which problems began and ended: each once in the log, and in the metric while it lasts. */
function prepareReport({ log, metrics, elapsedMs }: ProblemParts) {
  const beganAt = new Map<Problem, number>();
  return (search: {
    before: FoundProblems;
    now: FoundProblems;
    ofDatabase: Noted;
    ofStorage: Noted;
  }): void => {
    const { before, now } = search;
    const notedOf = (problem: Problem): Noted =>
      isOfDatabase(problem) ? search.ofDatabase : search.ofStorage;
    for (const problem of Object.keys(PROBLEMS)) metrics.problems.set({ problem }, 0);
    for (const [problem, found] of now) {
      metrics.problems.set({ problem }, 1);
      if (before.has(problem)) continue;
      beganAt.set(problem, elapsedMs());
      const details = found ?? notedOf(problem).message;
      const fields = { problem, explanation: PROBLEMS[problem], ...(details !== undefined && { details }) };
      log.write('error', 'problem_found', fields);
    }
    for (const problem of before.keys()) {
      if (now.has(problem)) continue;
      const durationMs = Math.round(elapsedMs() - (beganAt.get(problem) ?? 0));
      const { refusedRequests } = notedOf(problem);
      log.write('info', 'problem_solved', { problem, durationMs, refusedRequests });
    }
  };
}

/** Finds the problems. A database that does not respond keeps the problems that were known. */
async function findProblems(
  { store, files, findOtherProblems }: ProblemParts,
  known: FoundProblems,
): Promise<FoundProblems> {
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
  return new Map([...ofStore, ...ofFiles, ...(findOtherProblems?.() ?? [])]);
}

function storageProblemOf(error: unknown): Problem {
  if (error instanceof StorageFullError) return 'storage_full';
  return error instanceof UnavailableError ? 'storage_unavailable' : 'storage_not_writable';
}

/** Prepares the metrics of disk, projector, pools and backup. They keep their values while the store does not respond. */
function prepareMeasurements({ store, metrics, clock }: ProblemParts): () => Promise<void> {
  const { projection, backupAge, databaseFreeBytes } = metrics;
  for (const unknown of [backupAge, databaseFreeBytes]) unknown.remove();
  let failedRounds = 0;
  return async () => {
    const now = clock();
    const known = <T>(measuring: Promise<T> | undefined) =>
      measuring && withTimeout(measuring).catch(() => undefined);
    const [freeBytes, projector, lastBackup, pools = []] = await Promise.all([
      known(store.measureFreeBytes?.()),
      known(store.measureProjector(now)),
      known(store.readLastBackup()),
      known(store.measurePools?.()),
    ]);
    if (typeof lastBackup === 'number') backupAge.set(Math.max(0, now - lastBackup) / 1000);
    for (const pool of pools) metrics.reportPool(pool);
    if (freeBytes !== undefined) databaseFreeBytes.set(freeBytes);
    if (projector) {
      projection.waiting.set(projector.waitingEntries);
      projection.oldestAge.set(projector.oldestAgeSeconds);
      projection.roundDuration.set(projector.roundSeconds);
      projection.failures.inc(projector.failures - failedRounds);
      failedRounds = projector.failures;
    }
  };
}

/** A database or storage that is slower than this for a trivial request cannot serve requests either. */
export const PROBE_TIMEOUT_MS = 2_000;

/** Rejects when work takes too long. */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs = PROBE_TIMEOUT_MS,
  startTimer: StartTimer = startUnheldTimer,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const error = new UnavailableError(`No response within ${timeoutMs} ms`);
  const cancel = startTimer(() => late.reject(error), timeoutMs);
  return Promise.race([work, late.promise]).finally(cancel);
}

/** Starts a timer that does not keep the process alive. */
const startUnheldTimer: StartTimer = (onDue, delayMs) => {
  const timer = setTimeout(onDue, delayMs).unref();
  return () => clearTimeout(timer);
};
