import { messageOf } from '../../common/error-details.ts';
import type { Config } from '../../core/config/config.ts';
import { addDuration } from '../../core/model/instant.ts';
import type { EpochMs, NotifiedLinks } from '../../core/model/link.ts';
import { timeOfEvent } from '../../core/model/link-event.ts';
import { DAY_MS } from '../../core/model/time-units.ts';
import type { EndedPart } from '../../core/ports/erasures.ts';
import type { FileStore } from '../../core/ports/file-store.ts';
import type { NotificationStore } from '../../core/ports/notifications.ts';
import type {
  Clock,
  IdempotencyStore,
  LinkStore,
  TimeCorrection,
  UploadLedger,
} from '../../core/ports/ports.ts';
import { expireLinks } from '../../core/use-cases/change/expire-links.ts';
import { type EraseParts, erase } from '../../core/use-cases/erase/erase.ts';
import { eraseEndedLinks, type RetentionParts } from '../../core/use-cases/erase/retention.ts';
import { prepareSweepUploads } from '../../core/use-cases/files/sweep-uploads.ts';
import type { Log } from '../../observability/log.ts';

/** "The job runs at start and then every minute." */
export const JOB_INTERVAL_MS = 60_000;

/** The interval at which the clock is checked for having been set back. */
export const CLOCK_INTERVAL_MS = 1_000;

/** The jobs that run every minute; `times` runs every second. */
export type JobName =
  | 'expiration'
  | 'problems'
  | 'times'
  | 'limit sweep'
  | 'upload sweep'
  | 'leases'
  | 'recipient codes'
  | 'idempotency keys'
  | 'notification count'
  | 'discard notifications'
  | 'blocked hosts'
  | 'retention'
  | 'ended links'
  | 'files of ended links'
  | 'checkpoint';
export type MinuteJob = Job & { name: JobName };

type JobParts = { links: LinkStore; files: FileStore; uploads: UploadLedger; clock: Clock; log: Log };

/** Returns the "background job" that "marks time-expired links as expired". `onRun` records "its execution time". */
export function expirationJob(
  parts: Pick<JobParts, 'links' | 'clock' | 'log'> & { notifiedLinks?: NotifiedLinks },
  onRun: (at: number) => void,
): MinuteJob {
  const { links, clock, log, notifiedLinks } = parts;
  return {
    name: 'expiration',
    async run() {
      const startedAt = performance.now();
      const expired = await expireLinks(links, clock(), {
        ...(notifiedLinks && { notifiedLinks }),
        onProgress: () => onRun(clock()),
      });
      const durationMs = Math.round(performance.now() - startedAt);
      log.write('info', 'secure_link_expiration_job', { expired, durationMs });
    },
  };
}

/** Longer than a transaction takes that began before the clock was set back, and commits a time of then. */
const SETTLING_MS = 15_000;

/**
 * Corrects the stored times of a clock that was ahead: at the start, every minute, because the clock of another instance
 * may have been, and when this one is set back, at once and in each run for a while.
 */
export function timeJob(store: TimeCorrection, clock: Clock): MinuteJob {
  let correctedAt = Number.NEGATIVE_INFINITY;
  let setBackAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'times',
    async run() {
      const now = clock();
      if (now < correctedAt) setBackAt = now;
      if (now >= setBackAt + SETTLING_MS && now < correctedAt + JOB_INTERVAL_MS) return;
      await store.correctTimes(now);
      correctedAt = now;
    },
  };
}

/** Finds problems also while nothing requests health or metrics. */
export function problemJob(findProblems: () => Promise<unknown>): MinuteJob {
  return { name: 'problems', run: async () => void (await findProblems()) };
}

/** The largest number of notifications that is counted: more are as bad. */
const MAX_COUNTED = 10_000;

/** The time for which a failed notification is kept. */
const KEEP_FAILED_MS = 30 * 24 * 3_600_000;

/** Measures how many notifications wait or have failed, and how long events wait. Deletes what failed long ago. */
export function notificationCountJob(
  notifications: NotificationStore,
  clock: Clock,
  metrics: {
    notifications: { set(labels: { state: 'waiting' | 'failed' }, value: number): void };
    outboxAge: { set(seconds: number): void };
  },
): MinuteJob {
  return {
    name: 'notification count',
    async run() {
      await notifications.deleteFailedBefore(clock() - KEEP_FAILED_MS);
      const [oldest] = await notifications.readOutbox(null, 1);
      const event = oldest?.links[0]?.events[0];
      metrics.outboxAge.set(event ? Math.max(0, (clock() - timeOfEvent(event)) / 1000) : 0);
      const { waiting, failed } = await notifications.countNotifications(MAX_COUNTED, clock());
      metrics.notifications.set({ state: 'waiting' }, waiting);
      metrics.notifications.set({ state: 'failed' }, failed);
    },
  };
}

/** Discards once the messages that wait from a time when the service sent notifications. */
export function discardNotificationsJob(
  notifications: NotificationStore,
  clock: Clock,
  error: string,
): MinuteJob {
  let isDone = false;
  return {
    name: 'discard notifications',
    async run() {
      if (!isDone) await notifications.discardWaiting(clock(), error);
      isDone = true;
    },
  };
}

/** Removes the counts of limits whose windows have ended. */
export function limitSweepJob(limits: { deleteEnded(): Promise<void> }): MinuteJob {
  return { name: 'limit sweep', run: () => limits.deleteEnded() };
}

/** "A repeat within 24 hours" gets the first response. */
const KEEP_RESPONSES_MS = DAY_MS;
/** Rows that are deleted in one transaction, in about 5 ms. */
const ROWS_AT_ONCE = 1_000;

/** Deletes the responses to requests with an Idempotency-Key after a day. */
export function idempotencyJob(
  store: Pick<IdempotencyStore, 'deleteRequestsBefore'>,
  clock: Clock,
): MinuteJob {
  return {
    name: 'idempotency keys',
    async run(stopping) {
      const before = clock() - KEEP_RESPONSES_MS;
      let deleted = 1;
      while (deleted > 0 && !stopping.aborted)
        deleted = await store.deleteRequestsBefore(before, ROWS_AT_ONCE);
    },
  };
}

/** Deletes leases that ended. A client that still has one gets the response that it has ended for a day. */
export function leaseJob(links: Pick<LinkStore, 'deleteEndedLeases'>, clock: Clock): MinuteJob {
  return {
    name: 'leases',
    async run(stopping) {
      const before = clock() - DAY_MS;
      await deleteInSteps(stopping, () => links.deleteEndedLeases(before, ROWS_AT_ONCE));
    },
  };
}

/** Deletes the codes of recipients that ended. */
export function recipientCodeJob(links: Pick<LinkStore, 'deleteEndedCodes'>, clock: Clock): MinuteJob {
  return {
    name: 'recipient codes',
    run: (stopping) => deleteInSteps(stopping, () => links.deleteEndedCodes(clock(), ROWS_AT_ONCE)),
  };
}

/** Repeats a deletion of `ROWS_AT_ONCE` rows, until it finds fewer. */
async function deleteInSteps(stopping: AbortSignal, deleteRows: () => Promise<number>): Promise<void> {
  let deleted = ROWS_AT_ONCE;
  while (deleted === ROWS_AT_ONCE && !stopping.aborted) deleted = await deleteRows();
}

/** Erases what is older than a day in UTC that ended longer ago than `retention`. */
function dailyErasure(
  { name, clock, retention }: { name: JobName; clock: Clock; retention: Temporal.Duration },
  eraseBefore: (before: EpochMs, isStopped: () => boolean) => Promise<unknown>,
): MinuteJob {
  let erasedBefore = 0;
  return {
    name,
    async run(stopping) {
      const before = Math.floor(addDuration(clock(), retention.negated()) / DAY_MS) * DAY_MS;
      if (before <= erasedBefore) return;
      await eraseBefore(before, () => stopping.aborted);
      erasedBefore = before;
    },
  };
}

/** Erases the personal fields of entries. */
export function retentionJob(parts: EraseParts, retention: Temporal.Duration): MinuteJob {
  return dailyErasure({ name: 'retention', clock: parts.clock, retention }, (before, isStopped) =>
    erase(parts, { kind: 'RETENTION', before }, { author: 'app.audit.retention', isStopped }),
  );
}

/** Erases a part of the links that have ended. */
export function endedLinksJob(
  parts: RetentionParts & Pick<JobParts, 'log'>,
  part: EndedPart,
  retention: Temporal.Duration,
): MinuteJob {
  const { clock, log } = parts;
  return dailyErasure(
    { name: part === 'FILE' ? 'files of ended links' : 'ended links', clock, retention },
    async (before, isStopped) => {
      const startedAt = performance.now();
      const links = await eraseEndedLinks(parts, part, { before, isStopped });
      const durationMs = Math.round(performance.now() - startedAt);
      log.write('info', 'ended_links_erased', { part, links, durationMs });
    },
  );
}

/** Signs a checkpoint of the log, where there are new entries. */
export function checkpointJob(sign: (stopping: AbortSignal) => Promise<unknown>): MinuteJob {
  return { name: 'checkpoint', run: async (stopping) => void (await sign(stopping)) };
}

/** Returns the jobs that erase what is kept no longer. */
export function retentionJobs(
  parts: RetentionParts & Pick<JobParts, 'log'>,
  { audit, links, files }: Config['retention'],
): MinuteJob[] {
  return [
    ...(audit ? [retentionJob(parts, audit)] : []),
    ...(files ? [endedLinksJob(parts, 'FILE', files)] : []),
    ...(links ? [endedLinksJob(parts, 'TERMS', links)] : []),
  ];
}

/** Removes the files of uploads that got no link. */
export function uploadSweepJob({ clock, log, ...parts }: JobParts): MinuteJob {
  const sweepUploads = prepareSweepUploads({ ...parts, elapsedMs: () => performance.now() });
  return {
    name: 'upload sweep',
    async run(stopping) {
      const swept = await sweepUploads(clock(), stopping);
      if (swept > 0) log.write('info', 'upload_sweep', { swept });
    },
  };
}

/**
 * Keeps the list of blocked hosts current. While its file cannot be used, the last list applies, and each cause
 * is logged once.
 *
 * @param refresh returns true when the list changed
 */
export function blockedHostsJob(refresh: () => Promise<boolean>, log: Log): MinuteJob {
  let logged: string | undefined;
  return {
    name: 'blocked hosts',
    async run() {
      try {
        if (await refresh()) log.write('info', 'blocked_hosts_reloaded', {});
        logged = undefined;
      } catch (error) {
        const reason = messageOf(error);
        if (reason !== logged) log.write('warn', 'blocked_hosts_unusable', { reason });
        logged = reason;
      }
    },
  };
}
/** Work that runs at the start and then at an interval. `stopping` is aborted when the service stops. */
export type Job = { name: string; run: (stopping: AbortSignal) => Promise<void> };

/** Gets the error of a run. */
export type ReportJobError = (job: string, error: unknown) => void;

/**
 * Runs jobs in sequence at an interval. A failed job is reported and retried at the next interval. A run that
 * is longer than the interval delays the next one, so a job never runs twice at once. At intervals below a minute, a
 * failure is reported once for each cause, until a run succeeds.
 */
export function createScheduler(
  jobs: readonly Job[],
  intervalMs: number,
  reportError: ReportJobError,
  onEnd?: (job: string, seconds: number, hasSucceeded: boolean) => void,
) {
  // An error that stays would fill the log.
  const isFrequent = intervalMs < 60_000;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();
  const causes = new Map<string, string>();

  async function runAll(): Promise<void> {
    for (const job of jobs) {
      if (stopping.signal.aborted) break;
      const startedAt = performance.now();
      let hasSucceeded = false;
      try {
        await job.run(stopping.signal);
        hasSucceeded = true;
        causes.delete(job.name);
      } catch (error) {
        const cause = String(error);
        if (!isFrequent || causes.get(job.name) !== cause) reportError(job.name, error);
        causes.set(job.name, cause);
      }
      onEnd?.(job.name, (performance.now() - startedAt) / 1000, hasSucceeded);
    }
    running = undefined;
  }

  return {
    /** Runs every job once, then again at each interval. Resolves after the first runs. */
    start(): Promise<void> {
      timer = setInterval(() => {
        running ??= runAll();
      }, intervalMs);
      running = runAll();
      return running;
    },
    /** Starts no further job, and waits for the current one. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
