import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { PROBLEMS } from '../core/model/problem.ts';
import type { BoundedQueue } from '../core/model/unavailable.ts';
import type { ConnectionPool } from '../core/ports/ports.ts';
import { createHistogram } from './histogram.ts';

/** The limits by client, as labels. */
const LIMIT_NAMES = [
  'wrong_passwords',
  'unknown_codes',
  'recipient_codes',
  'creations',
  'uploads',
  'changes',
  'mails',
  'idempotency_keys',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** The reasons for which a request is refused for its credentials, as labels. */
const ACCESS_DENIALS = ['invalid_key', 'foreign_token', 'sign_in_required', 'insufficient_scope'] as const;
export type AccessDenial = (typeof ACCESS_DENIALS)[number];

const QUEUES = ['passwords', 'statistics', 'history', 'exports', 'store'] as const satisfies BoundedQueue[];

/** All metrics of the service. Each is declared only here. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of the service and of its process, in a separate registry. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...createLinkMetrics(registry),
    ...createStoreMetrics(registry),
    ...createOperationMetrics(registry),
    ...createNotificationMetrics(registry),
    ...createLimitMetrics(registry),
    ...createLogMetrics(registry),
    ...createHttpMetrics(registry),
  };
}

/**
 * Returns functions that create metrics in a registry. The series of the `values` of a label begin at zero, so that
 * alerts can select them.
 */
function metricsOf(registry: Registry) {
  const registers = [registry];
  function fromZero<M extends Counter | Gauge>(metric: M, values: readonly string[] = []): M {
    for (const value of values) metric.labels(value).inc(0);
    return metric;
  }
  return {
    counter: <Label extends string>(name: string, help: string, label?: Label, values?: readonly string[]) =>
      fromZero(new Counter({ name, help, labelNames: label ? [label] : [], registers }), values),
    gauge: <Label extends string>(name: string, help: string, label?: Label, values?: readonly string[]) =>
      fromZero(new Gauge({ name, help, labelNames: label ? [label] : [], registers }), values),
    histogram: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      createHistogram(registry, { name, help, labelNames }),
  };
}

function createLinkMetrics(registry: Registry) {
  const { counter, histogram } = metricsOf(registry);
  return {
    created: counter('secure_link_created_total', 'Links created, by type', 'type'),
    resolveAttempts: counter(
      'secure_link_resolve_attempts_total',
      'Attempts to open a link, without previews',
    ),
    resolveSuccesses: counter('secure_link_resolve_success_total', 'Attempts that were granted'),
    resolveDenials: counter(
      'secure_link_resolve_denied_total',
      'Attempts that were denied, by reason',
      'reason',
    ),
    resolveDuration: histogram('secure_link_resolve_duration_seconds', 'Time from an attempt to its outcome'),
    previews: counter(
      'secure_link_preview_total',
      'Previews, by the result that opening would have had',
      'reason',
    ),
    changed: counter('secure_link_changed_total', 'Changes of the terms of links'),
    revoked: counter('secure_link_revoked_total', 'Links revoked by requests, each counted once'),
    revokeDenials: counter(
      'secure_link_revoke_denied_total',
      'Requests to revoke that were denied, by reason',
      'reason',
    ),
    damagedFiles: counter(
      'secure_link_damaged_downloads_total',
      'Downloads that were broken off because the stored file is damaged',
    ),
  };
}

function createStoreMetrics(registry: Registry) {
  const { counter, gauge } = metricsOf(registry);
  return {
    storageFreeBytes: gauge(
      'secure_link_storage_free_bytes',
      'Free space of the disk for uploaded files; absent for a bucket',
    ),
    storageMinFreeBytes: gauge(
      'secure_link_storage_min_free_bytes',
      'Free space below which uploads are refused (app.storage.min-free); absent for a bucket',
    ),
    health: gauge('secure_link_health', '1 while the component is UP, else 0, as in health', 'component'),
    problems: gauge(
      'secure_link_store_problem',
      '1 while the service has this problem, else 0',
      'problem',
      Object.keys(PROBLEMS),
    ),
    backupAge: gauge(
      'secure_link_backup_age_seconds',
      'Time since the last complete postern backup was begun; absent before the first',
    ),
    projection: {
      waiting: gauge(
        'secure_link_projection_waiting_entries',
        'Entries of the history that statistics and lists lack so far, up to 100000',
      ),
      oldestAge: gauge('secure_link_projection_oldest_age_seconds', 'Age of the oldest of these entries'),
      roundDuration: gauge(
        'secure_link_projection_round_seconds',
        'Duration of the last round that added entries to statistics and lists',
      ),
      failures: counter('secure_link_projection_failures_total', 'Such rounds that failed'),
    },
  };
}

/** The sizes of batches, up to the largest. */
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Creates the metrics of what the service does inside: batches, operations of its parts, jobs, connections. */
function createOperationMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOf(registry);
  const registers = [registry];
  const batchSizes = createHistogram(
    registry,
    {
      name: 'secure_link_commit_batch_size',
      help: 'Operations of clients that were committed together',
      labelNames: ['operation'],
    },
    BATCH_SIZES,
  );
  const batchSeconds = histogram(
    'secure_link_commit_seconds',
    'Time to commit such a batch, including a flush to disk',
    'operation',
  );
  const jobSeconds = gauge('secure_link_job_seconds', 'Duration of the last run of a job', 'name');
  const jobSucceededAt = gauge(
    'secure_link_job_last_success_timestamp_seconds',
    'Unix time when a job last succeeded; 0 for one that only failed',
    'name',
  );
  const pools = new Gauge({
    name: 'secure_link_database_connections',
    help: 'Connections to PostgreSQL by pool and state; waiting: work that waits for one',
    labelNames: ['pool', 'state'],
    registers,
  });
  return {
    batchSizes,
    batchSeconds,
    operations: histogram(
      'secure_link_operation_seconds',
      'Time of an operation of a part of the service, also of one that failed',
      'component',
      'operation',
    ),
    storageRequests: histogram(
      'secure_link_storage_request_seconds',
      'Time of a request to object storage with its retries, also of one that failed',
      'operation',
    ),
    reportPool({ pool, ...states }: ConnectionPool): void {
      for (const [state, count] of Object.entries(states)) pools.set({ pool, state }, count);
    },
    reportJob(name: string, seconds: number, hasSucceeded: boolean): void {
      jobSeconds.set({ name }, seconds);
      if (hasSucceeded) jobSucceededAt.labels(name).setToCurrentTime();
      else jobSucceededAt.inc({ name }, 0);
    },
    databaseFreeBytes: gauge(
      'secure_link_database_free_bytes',
      'Free space of the disk of the SQLite file; absent for PostgreSQL',
    ),
    droppedSpans: counter(
      'secure_link_trace_spans_dropped_total',
      'Spans that were not sent, because the collector was too slow or did not take them',
    ),
    buildInfo: new Gauge({
      name: 'secure_link_build_info',
      help: 'Always 1; the labels name the version, the Node that runs it, and the kinds of database and storage',
      labelNames: ['version', 'node', 'database', 'storage'],
      registers,
    }),
  };
}

function createHttpMetrics(registry: Registry) {
  const { counter, histogram } = metricsOf(registry);
  return {
    requests: histogram(
      'http_server_requests_seconds',
      'Time from a request to the end of its response',
      'method',
      'uri',
      'status',
    ),
    connectionsCutOff: counter(
      'http_server_connections_cut_off_total',
      'Connections that were refused or cut off, by reason',
      'reason',
    ),
  };
}

const NOTIFICATION_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
export type NotificationOutcome = (typeof NOTIFICATION_OUTCOMES)[number];

function createNotificationMetrics(registry: Registry) {
  const { counter, gauge } = metricsOf(registry);
  return {
    notificationDeliveries: counter(
      'secure_link_notification_deliveries_total',
      'Tries to deliver a webhook or a mail, by outcome; failed: it is not tried again',
      'outcome',
      NOTIFICATION_OUTCOMES,
    ),
    notifications: gauge(
      'secure_link_notifications',
      'Webhooks and mails that wait for delivery or have failed, each up to 10000, counted every minute',
      'state',
      ['waiting', 'failed'],
    ),
    outboxAge: gauge(
      'secure_link_outbox_age_seconds',
      'Age of the oldest event that has not become a webhook or a mail, measured every minute',
    ),
  };
}

/** Creates the metric of the log, whose lines are counted where they are dropped. */
function createLogMetrics(registry: Registry) {
  let droppedLines = () => 0;
  new Counter({
    name: 'secure_link_log_lines_dropped_total',
    help: 'Lines of the log that were dropped because their reader was behind or gone',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
  return {
    /** Reports how many lines of the log were dropped, read whenever the metrics are. */
    watchLog: (log: { droppedLines(): number }): void => {
      droppedLines = log.droppedLines;
    },
  };
}

/** Creates the metrics of refused credentials, of limits and of waiting work. */
function createLimitMetrics(registry: Registry) {
  const { counter } = metricsOf(registry);
  const waitingWork = new Map<BoundedQueue, () => number>();
  new Gauge({
    name: 'secure_link_waiting_work',
    help: 'Work that is waiting, by queue',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, waiting] of waitingWork) this.set({ queue }, waiting());
    },
  });
  return {
    accessDenials: counter(
      'secure_link_access_denied_total',
      'Requests that were refused for missing, wrong or insufficient credentials, by reason',
      'reason',
      ACCESS_DENIALS,
    ),
    rateLimited: counter(
      'secure_link_rate_limited_total',
      'Requests that a limit refused with 429, by limit',
      'limit',
      LIMIT_NAMES,
    ),
    delayedGuesses: counter(
      'secure_link_delayed_guesses_total',
      'Password checks that waited because of many wrong passwords',
    ),
    overloads: counter(
      'secure_link_overload_total',
      'Requests that were refused with 503 because too much work was waiting, by queue',
      'queue',
      QUEUES,
    ),
    abandoned: counter(
      'secure_link_abandoned_total',
      'Requests whose client left before their work began, by queue',
      'queue',
      QUEUES,
    ),
    /** Reports how much work of a queue is waiting, read whenever the metrics are. */
    watchQueue: (queue: BoundedQueue, waiting: () => number) => void waitingWork.set(queue, waiting),
  };
}
