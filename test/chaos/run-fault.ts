import { eventually, type StoreKind } from '../drive/arena.ts';
import { type Cleanup, withCleanup } from '../support/cleanup.ts';
import { type Arena, type ChaosOptions, openArena } from './arena.ts';
import { type Clients, type Entry, isNormal, labelOf } from './clients.ts';
import type { Fault } from './fault.ts';
import { type FaultName, faultOf } from './fault-table.ts';
import { checkFinally, findUnexpected } from './final-check.ts';
import type { Finding } from './finding.ts';
import { readHealth } from './health.ts';

/** The effects of a fault on a service and its clients. */
export type FaultReport = {
  fault: FaultName;
  store: StoreKind;
  requests: number;
  /** The number of times that clients saw each status, or none, from the fault to the recovery. */
  seen: Record<string, number>;
  /** The statuses of health from the fault to the recovery, in their order. */
  health: string[];
  recovery: Recovery;
  lost: number;
  findings: string[];
  /** Figures that the fault measured. */
  notes: string[];
};

/** Times from the end of the fault. `lastErrorMs` is null when no request failed after it. */
type Recovery = {
  firstResponseMs: number | 'never';
  healthUpMs: number | 'never';
  lastErrorMs: number | null;
};

const WARM_UP_RESPONSES = 150;
const RECOVERS_WITHIN_MS = 5_000;

/** Bounds a fault and its checks. A kill with its restart and its check takes a few seconds. */
const LASTS_AT_MOST = { ms: 300_000, holds: 20, msPerRound: 10_000 };

/** Returns the time after which a run ends with an error. */
export function longestMs({
  holdMs,
  rounds,
  patience,
}: Pick<ChaosOptions, 'holdMs' | 'rounds' | 'patience'>): number {
  const { ms, holds, msPerRound } = LASTS_AT_MOST;
  return (ms + holds * holdMs + rounds * msPerRound) * patience;
}

/** Runs one fault on a service of its own, under load, and checks the service afterwards. */
export function runFault(name: FaultName, store: StoreKind, options: ChaosOptions): Promise<FaultReport> {
  return withCleanup(async (cleanup) => {
    const over = new AbortController();
    const atMostMs = longestMs(options);
    const isLate = (): void => over.abort(new Error(`The run was not over after ${atMostMs} ms`));
    const timer = setTimeout(isLate, atMostMs);
    const aborted = new Promise<never>((_, reject) => {
      over.signal.addEventListener('abort', () => reject(over.signal.reason));
    });
    try {
      return await Promise.race([aborted, injectAndCheck(cleanup, { name, store }, options, over)]);
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  });
}

async function injectAndCheck(
  cleanup: Cleanup,
  { name, store }: { name: FaultName; store: StoreKind },
  options: ChaosOptions,
  over: AbortController,
): Promise<FaultReport> {
  const fault = faultOf(name);
  const arena = await openArena(cleanup, { name, store, needs: fault.needs }, options, over);
  const { clients, notes } = arena;
  await clients.waitForResponses(WARM_UP_RESPONSES);
  const from = performance.now();
  const health = watchHealth(arena);
  await fault.inject(arena);
  const endedAt = arena.endedAt ?? performance.now();
  const recovered = await awaitRecovery(clients, health.readings, endedAt);
  const until = performance.now();
  const statuses = await health.stop();
  await clients.waitForResponses(WARM_UP_RESPONSES);
  await clients.stop();
  const { entries } = clients.history;
  const recovery = { ...recovered, lastErrorMs: lastErrorMs(entries, endedAt) };
  const findings = [
    ...judgeRecovery(fault, recovery, options.patience),
    ...judgeHealth(fault, statuses),
    ...arena.findings.map((text) => ({ isLoss: false, text })),
    ...findUnexpected(entries, { sees: fault.sees, from, until, stoppedAt: arena.stoppedAt }),
    ...(await checkFinally(arena, fault)),
  ];
  return {
    ...{ fault: name, store, notes, recovery },
    requests: entries.length,
    seen: countLabels(entries, from, until),
    health: statuses,
    lost: findings.filter(({ isLoss }) => isLoss).length,
    findings: findings.map(({ text }) => text),
  };
}

/** Waits for the first normal response and for health UP, and returns their times from the end of the fault. */
async function awaitRecovery(
  { history }: Clients,
  readings: readonly HealthReading[],
  endedAt: number,
): Promise<Omit<Recovery, 'lastErrorMs'>> {
  const firstResponse = (): number | undefined =>
    history.entries.find((entry) => entry.sentAt >= endedAt && entry.kind !== 'statistics' && isNormal(entry))
      ?.outcome?.at;
  const firstUp = (): number | undefined =>
    readings.find(({ askedAt, status }) => askedAt >= endedAt && status === 'UP')?.at;
  await eventually(async () => firstResponse() !== undefined && firstUp() !== undefined);
  const sinceEnd = (at: number | undefined) => (at === undefined ? 'never' : Math.round(at - endedAt));
  return { firstResponseMs: sinceEnd(firstResponse()), healthUpMs: sinceEnd(firstUp()) };
}

type HealthReading = { askedAt: number; at: number; status: string };

/** Reads health all the time. `stop` returns its statuses without repetitions; `none` where there is no response. */
function watchHealth(arena: Arena): { readings: readonly HealthReading[]; stop(): Promise<string[]> } {
  const readings: HealthReading[] = [];
  let isStopped = false;
  const watching = eventually(async () => {
    const askedAt = performance.now();
    const status = await readHealth(arena).catch(() => 'none');
    readings.push({ askedAt, at: performance.now(), status });
    return isStopped || arena.signal.aborted;
  }, Number.POSITIVE_INFINITY);
  return {
    readings,
    async stop() {
      isStopped = true;
      await watching;
      const statuses = readings.map(({ status }) => status);
      return statuses.filter((status, index) => status !== statuses[index - 1]);
    },
  };
}

function judgeRecovery({ recoversWithinMs }: Fault, recovery: Recovery, patience: number): Finding[] {
  const atMost = (recoversWithinMs ?? RECOVERS_WITHIN_MS) * patience;
  return Object.entries(recovery)
    .filter(([, ms]) => ms === 'never' || (ms ?? 0) > atMost)
    .map(([what, ms]) => ({ isLoss: false, text: `${what}: ${ms}, but must be at most ${atMost}` }));
}

function judgeHealth({ health }: Fault, statuses: readonly string[]): Finding[] {
  if (health === undefined) return [];
  const isAsExpected =
    health === 'UP' ? statuses.every((one) => one === 'UP') : statuses.some((one) => one.startsWith(health));
  if (isAsExpected) return [];
  return [{ isLoss: false, text: `Health was ${statuses.join(', ')} and must be ${health}` }];
}

function countLabels(entries: readonly Entry[], from: number, until: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { sentAt, outcome } of entries) {
    if (!outcome || outcome.at < from || sentAt > until) continue;
    counts[labelOf(outcome)] = (counts[labelOf(outcome)] ?? 0) + 1;
  }
  return counts;
}

function lastErrorMs(entries: readonly Entry[], endedAt: number): number | null {
  const errors = entries.filter(
    (entry) => entry.outcome && !isNormal(entry) && labelOf(entry.outcome) !== 'left',
  );
  const last = Math.max(...errors.map(({ outcome }) => (outcome?.at ?? 0) - endedAt));
  return last > 0 ? Math.round(last) : null;
}
