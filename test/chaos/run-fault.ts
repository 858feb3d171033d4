import { withCleanup } from '../support/cleanup.ts';
import { type Arena, type ChaosOptions, eventually, openArena } from './arena.ts';
import { type Clients, type Entry, isNormal, labelOf } from './clients.ts';
import { type FaultName, faultOf, type StoreKind } from './fault-table.ts';
import { checkFinally, type Finding, findUnexpected } from './final-check.ts';
import { readHealth } from './health.ts';
import { INJECTIONS } from './injections.ts';

/** What a fault did to a service and its clients. */
export type FaultReport = {
  fault: FaultName;
  store: StoreKind;
  requests: number;
  /** How often clients saw each status, or none, from the fault to the recovery. */
  seen: Record<string, number>;
  /** The statuses of health from the fault to the recovery, in their order. */
  health: string[];
  /** Times from the end of the fault. `lastError` is null when no request failed after it. */
  recovery: { firstResponseMs: number; healthUpMs: number; lastErrorMs: number | null };
  lost: number;
  findings: string[];
};

const WARM_UP_RESPONSES = 150;
const RECOVERS_WITHIN_MS = 5_000;

export type RunOptions = ChaosOptions & {
  /** By how much longer than on a machine that has nothing else to do a recovery may take. */
  patience: number;
};

/** Runs one fault on a service of its own, under load, and checks the service afterwards. */
export function runFault(name: FaultName, store: StoreKind, options: RunOptions): Promise<FaultReport> {
  return withCleanup(async (cleanup) => {
    const { needs } = faultOf(name);
    const arena = await openArena(cleanup, { name, store, needs }, options);
    const { clients } = arena;
    await clients.waitForResponses(WARM_UP_RESPONSES);
    const from = performance.now();
    const health = watchHealth(arena);
    await INJECTIONS[name](arena);
    const endedAt = performance.now();
    const recovery = await measureRecovery(arena, endedAt);
    const until = performance.now();
    const statuses = await health.stop();
    await clients.waitForResponses(WARM_UP_RESPONSES);
    await clients.stop();
    const { entries } = clients.history;
    const findings = [
      ...judgeRecovery(name, recovery, options.patience),
      ...judgeHealth(name, statuses),
      ...arena.findings.map((text) => ({ isLoss: false, text })),
      ...findUnexpected(entries, { sees: faultOf(name).sees, from, until }),
      ...(await checkFinally(arena, faultOf(name))),
    ];
    return {
      fault: name,
      store,
      requests: entries.length,
      seen: countLabels(entries, from, until),
      health: statuses,
      recovery: { ...recovery, lastErrorMs: lastErrorMs(entries, endedAt) },
      lost: findings.filter(({ isLoss }) => isLoss).length,
      findings: findings.map(({ text }) => text),
    };
  });
}

type Recovery = { firstResponseMs: number; healthUpMs: number };

/** Measures the time to the first normal response and to health UP. Infinite if it takes too long. */
async function measureRecovery(arena: Arena, endedAt: number): Promise<Recovery> {
  const since = async (condition: () => Promise<boolean>): Promise<number> =>
    (await eventually(condition)) ? Math.round(performance.now() - endedAt) : Number.POSITIVE_INFINITY;
  const [firstResponseMs, healthUpMs] = await Promise.all([
    since(async () => hasNormalResponse(arena.clients, endedAt)),
    since(async () => (await readHealth(arena)) === 'UP'),
  ]);
  return { firstResponseMs, healthUpMs };
}

function hasNormalResponse({ history }: Clients, since: number): boolean {
  return history.entries.some(
    (entry) => entry.sentAt >= since && entry.kind !== 'statistics' && isNormal(entry),
  );
}

/** Reads health all the time. Returns its statuses without repetitions; `none` where there is no response. */
function watchHealth(arena: Arena): { stop(): Promise<string[]> } {
  const statuses: string[] = [];
  let isStopped = false;
  const watching = eventually(async () => {
    const status = await readHealth(arena).catch(() => 'none');
    if (statuses.at(-1) !== status) statuses.push(status);
    return isStopped;
  }, Number.POSITIVE_INFINITY);
  return {
    async stop() {
      isStopped = true;
      await watching;
      return statuses;
    },
  };
}

function judgeRecovery(name: FaultName, recovery: Recovery, patience: number): Finding[] {
  const atMost = (faultOf(name).recoversWithinMs ?? RECOVERS_WITHIN_MS) * patience;
  return Object.entries(recovery)
    .filter(([, ms]) => ms > atMost)
    .map(([what, ms]) => ({ isLoss: false, text: `${what}: ${ms}, but must be at most ${atMost}` }));
}

function judgeHealth(name: FaultName, statuses: readonly string[]): Finding[] {
  const { health } = faultOf(name);
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
