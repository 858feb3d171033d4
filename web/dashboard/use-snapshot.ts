import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { askHealth, type Health } from '../service/health.ts';
import type { Outcome } from '../service/outcome.ts';
import { askStatistics, type Span, type Statistics } from '../service/statistics.ts';
import { faultOf, type Range, spanOf } from './range.ts';

/** Figures, and what they are of. */
export type Snapshot = { statistics: Statistics; span: Span; askedAt: Date };
/** Why there are no newer figures, and since when. */
export type Problem = { since: Date; outcome: Exclude<Outcome<never>, { kind: 'CANCELLED' }> };

export type Watched = {
  /** The last that there were, whatever has happened since. */
  snapshot: Snapshot | undefined;
  problem: Problem | undefined;
  /** Null where the service says nothing. */
  health: Health | null | undefined;
  refresh(): void;
};

const REFRESH_EACH_MS = 15_000;

/** Asks for figures, again from time to time while somebody looks and has not paused it. */
export function useSnapshot(range: Range, isPaused: boolean): Watched {
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [problem, setProblem] = useState<Problem>();
  const [health, setHealth] = useState<Health | null>();
  const asking = useRef<AbortController | null>(null);
  const key = JSON.stringify(range);

  const refresh = useCallback(async () => {
    if (faultOf(range)) return;
    // An answer to an earlier question must not come over that to a later one.
    asking.current?.abort();
    const controller = new AbortController();
    asking.current = controller;
    const { signal } = controller;
    const askedAt = new Date();
    const span = spanOf(range, askedAt);
    const [statistics, itsHealth] = await Promise.all([askStatistics(span, signal), askHealth(signal)]);
    if (signal.aborted || statistics.kind === 'CANCELLED') return;
    asking.current = null;
    setHealth(itsHealth);
    if (statistics.kind === 'DONE') {
      setSnapshot({ statistics: statistics.value, span, askedAt });
      setProblem(undefined);
    } else setProblem((former) => ({ since: former?.since ?? askedAt, outcome: statistics }));
  }, [key]);

  useEffect(() => void refresh(), [refresh]);
  useEffect(() => {
    if (isPaused) return undefined;
    const refreshIfSeen = (): void => {
      // Figures that take longer than this would never come if they were asked for anew each time.
      if (document.visibilityState === 'visible' && !asking.current) void refresh();
    };
    const timer = setInterval(refreshIfSeen, REFRESH_EACH_MS);
    document.addEventListener('visibilitychange', refreshIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfSeen);
    };
  }, [refresh, isPaused]);
  useEffect(() => () => asking.current?.abort(), []);

  return { snapshot, problem, health, refresh: () => void refresh() };
}
