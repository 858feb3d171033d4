import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { findProblem, type Range, spanBefore, toSpan } from '../charts/range.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { Health } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';
import { fetchHealth, fetchStatistics, type Span, type Statistics } from '../service/statistics.ts';
import type { Whose } from '../service/whose.ts';
import { useSession } from '../shell/session.tsx';
import { type RefreshCause, useLive } from '../shell/use-live.ts';

/** Statistics with the time range that they cover. */
export type Snapshot = { statistics: Statistics; whose: Whose; span: Span; requestedAt: Date };
/** The reason why there is no newer snapshot, and the time of the first failure. */
export type Problem = { since: Date; outcome: Exclude<Outcome<never>, { kind: 'CANCELLED' }> };

type Options = {
  isPaused: boolean;
  /** True if the health of the service is wanted, too. */
  hasHealth: boolean;
};

const POLL_EACH_MS = 15_000;

/** The requests of one refresh. */
type Pending = { controller: AbortController; isOver: Promise<void> };

/**
 * Requests statistics and health, and refreshes them while the page is visible and not paused. When a refresh
 * fails, the last snapshot stays. `health` is null when the service cannot be reached.
 */
export function useSnapshot(whose: Whose, range: Range, { isPaused, hasHealth }: Options) {
  const { timeZone } = useI18n().format;
  const readsHistories = useSession().caller?.scopes.includes('read') ?? false;
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [problem, setProblem] = useState<Problem>();
  const [health, setHealth] = useState<Health | null>();
  const pending = useRef<Pending | null>(null);

  const refresh = useCallback(async () => {
    if (findProblem(range)) return;
    // A late response to an earlier request must not replace that to a later one.
    pending.current?.controller.abort();
    const controller = new AbortController();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    pending.current = { controller, isOver };
    const { signal } = controller;
    const requestedAt = new Date();
    const span = toSpan(range, requestedAt, timeZone);
    const requests = Promise.all([
      fetchStatistics(whose, { span, before: spanBefore(span, requestedAt), readsHistories }, signal),
      hasHealth ? fetchHealth(signal) : undefined,
    ]);
    const [outcome, nextHealth] = await requests.finally(end);
    if (signal.aborted || outcome.kind === 'CANCELLED') return;
    pending.current = null;
    setHealth(nextHealth);
    if (outcome.kind === 'DONE') {
      setSnapshot({ statistics: outcome.value, whose, span, requestedAt });
      setProblem(undefined);
    } else setProblem((former) => ({ since: former?.since ?? requestedAt, outcome }));
  }, [whose, JSON.stringify(range)]);

  useEffect(() => void refresh(), [refresh]);
  const latestRefresh = useRef(refresh);
  latestRefresh.current = refresh;
  // Statistics that take longer than the interval would never arrive if each refresh aborted the last request.
  const refreshAfterPending = async (cause: RefreshCause): Promise<void> => {
    if (pending.current && cause === 'POLL') return;
    await pending.current?.isOver;
    await latestRefresh.current(); // of the range that is chosen now
  };
  const path = whose === 'all' ? 'api/stats/access/summary' : null;
  useLive({ path, refresh: refreshAfterPending, pollEachMs: POLL_EACH_MS, isPaused });
  useEffect(() => () => pending.current?.controller.abort(), []);

  return { snapshot, problem, health, refresh: () => void refresh() };
}
