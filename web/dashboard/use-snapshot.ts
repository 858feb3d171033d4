import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Health } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';
import { fetchHealth, fetchStatistics, type Span, type Statistics } from '../service/statistics.ts';
import { usePolling } from '../shell/use-polling.ts';
import { findProblem, type Range, toSpan } from './range.ts';

/** Statistics with the time range that they cover. */
export type Snapshot = { statistics: Statistics; span: Span; requestedAt: Date };
/** The reason why there is no newer snapshot, and the time of the first failure. */
export type Problem = { since: Date; outcome: Exclude<Outcome<never>, { kind: 'CANCELLED' }> };

const REFRESH_INTERVAL_MS = 15_000;

/**
 * Requests statistics and health, and refreshes them while the page is visible and not paused. When a refresh
 * fails, the last snapshot stays. `health` is null when the service cannot be reached.
 */
export function useSnapshot(range: Range, isPaused: boolean) {
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [problem, setProblem] = useState<Problem>();
  const [health, setHealth] = useState<Health | null>();
  const pending = useRef<AbortController | null>(null);

  const refresh = useCallback(async () => {
    if (findProblem(range)) return;
    // A late response to an earlier request must not replace that to a later one.
    pending.current?.abort();
    const controller = new AbortController();
    pending.current = controller;
    const { signal } = controller;
    const requestedAt = new Date();
    const span = toSpan(range, requestedAt);
    const [outcome, nextHealth] = await Promise.all([fetchStatistics(span, signal), fetchHealth(signal)]);
    if (signal.aborted || outcome.kind === 'CANCELLED') return;
    pending.current = null;
    setHealth(nextHealth);
    if (outcome.kind === 'DONE') {
      setSnapshot({ statistics: outcome.value, span, requestedAt });
      setProblem(undefined);
    } else setProblem((former) => ({ since: former?.since ?? requestedAt, outcome }));
  }, [JSON.stringify(range)]);

  useEffect(() => void refresh(), [refresh]);
  // Statistics that take longer than the interval would never arrive if each tick aborted the last request.
  const refreshIfIdle = useCallback(() => {
    if (!pending.current) void refresh();
  }, [refresh]);
  usePolling(refreshIfIdle, REFRESH_INTERVAL_MS, isPaused);
  useEffect(() => () => pending.current?.abort(), []);

  return { snapshot, problem, health, refresh: () => void refresh() };
}
