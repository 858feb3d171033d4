import { setImmediate } from 'node:timers/promises';
import { createArgon2idHasher, HASHES_AT_ONCE } from '../adapters/password-hasher.ts';
import { VERSION } from '../common/version.ts';
import type { Config } from '../core/config/config.ts';
import type { Clock, PasswordHasher, StartTimer } from '../core/ports/ports.ts';
import { cacheFileSets } from '../core/use-cases/files/cache-file-sets.ts';
import { createLimits } from '../core/use-cases/limits/limits.ts';
import { createQueues } from '../core/use-cases/limits/queues.ts';
import { toSubscriptions } from '../core/use-cases/notify/settings.ts';
import type { Log } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createAttemptObserver, createBatchObserver, createRefusalLines } from '../observability/observe.ts';
import { createOperationObserver, type OperationObserver } from '../observability/observe-operations.ts';
import { prepareProblemWatch } from '../observability/problems.ts';
import { createTracing } from '../observability/tracing.ts';
import { composeEvidence } from './compose-evidence.ts';
import { composeCodeMailer, findMailProblems } from './compose-notifications.ts';
import { composeUseCases } from './compose-use-cases.ts';
import type { Stores } from './open-stores.ts';
import { startTimer as startRealTimer } from './start-timer.ts';

/** Measures the operations of the stores. Those of every attempt only where traces are on: it has a duration of its own. */
function observeStores(
  { store, files, scanner }: Stores,
  { observePort, isTracing }: OperationObserver,
  metrics: Metrics,
): Stores {
  store.observeBatches(createBatchObserver(metrics));
  files.observeRequests?.((operation, seconds) => metrics.storageRequests.bind({ operation })(seconds));
  const ofAttempts = isTracing ? (['find', 'attempt'] as const) : [];
  const { statistics, history, list } = store;
  const observed = observePort('store', store, [
    ...(['create', 'read', 'change', 'revoke', 'changeCode', 'submit', 'expireDue'] as const),
    ...ofAttempts,
  ]);
  return {
    store: Object.assign(observed, {
      direct: isTracing ? undefined : store.direct,
      readParts: cacheFileSets(store.readParts, setImmediate),
      statistics: observePort('statistics', statistics, [
        ...(['accessTotals', 'resultCounts', 'hourly', 'daily', 'overTime', 'linkCounts'] as const),
        ...([
          'sentLinks',
          'topLinks',
          'securityExceptions',
          'viewSources',
          'attemptsOfLinks',
          'readLinks',
        ] as const),
      ]),
      history: observePort('history', history, ['readPage']),
      list: observePort('list', list, ['readPage']),
    }),
    scanner,
    files: observePort('files', files, ['append', 'complete', 'open', 'remove', 'checkWritable']),
  };
}

/** The parts that jobs and requests share. */
export type Core = ReturnType<typeof composeCore>;

export type CoreOptions = {
  clock?: Clock;
  /** Used instead of timers of the system. */
  startTimer?: StartTimer;
  /** Used instead of Argon2id at its full cost. */
  passwords?: PasswordHasher;
};

export function composeCore(config: Config, log: Log, opened: Stores, options: CoreOptions) {
  const { clock = Date.now, startTimer = startRealTimer, passwords = createArgon2idHasher() } = options;
  const elapsedMs = options.clock ?? (() => performance.now());
  const observers = { log, metrics: createMetrics() };
  const { metrics } = observers;
  metrics.watchLog(log);
  const { database, storage } = config;
  const build = { version: VERSION, node: process.version, database: database.kind, storage: storage.kind };
  metrics.buildInfo.set(build, 1);
  const tracing = config.tracing
    ? createTracing(config.tracing, (spans) => metrics.droppedSpans.inc(spans))
    : undefined;
  const operations = createOperationObserver(metrics, tracing);
  const stores = observeStores(opened, operations, metrics);
  const codeMailer = composeCodeMailer(config, { ...observers, clock });
  const evidence = composeEvidence(config, stores.store.evidence, clock);
  const findOtherProblems = () => [...findMailProblems(codeMailer), ...(evidence?.findProblems() ?? [])];
  const timing = { clock, elapsedMs, startTimer };
  const problemWatch = prepareProblemWatch({ ...stores, ...observers, ...timing, findOtherProblems });
  const { reportJobError } = problemWatch;
  const limits = createLimits(config.rates, {
    clock,
    shared: stores.store.sharedCounts,
    startTimer,
    onDelay: () => metrics.delayedGuesses.inc(),
    onSharedError: (error) => reportJobError('count_shared_limits', error),
  });
  const queues = createQueues(stores.store, HASHES_AT_ONCE, metrics.watchQueue);
  metrics.watchQueue('store', stores.store.waitingOperations);
  const observedPasswords = operations.observePort('passwords', passwords, ['hash', 'verify']);
  const useCases = composeUseCases(config, { ...stores, passwords: observedPasswords }, clock, {
    limits: limits.visits,
    ...{ codeLimits: limits.recipientCodes, codeMailer },
    ...{ passwordQueue: queues.passwords, scanQueue: queues.scans },
    startTimer,
    onRecordError: reportJobError,
  });
  const refusalLines = createRefusalLines(log, startTimer);
  const attempts = createAttemptObserver(observers, refusalLines);
  return {
    ...{ ...stores, ...observers, observers, ...problemWatch, tracing, operations },
    ...{ clock, elapsedMs, startTimer, limits, queues, useCases, attempts, refusalLines },
    ...{ codeMailer, evidence },
    passwords: observedPasswords,
    subscriptions: toSubscriptions(config.webhooks, config.mail),
  };
}
