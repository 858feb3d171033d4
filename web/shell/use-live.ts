import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { followEvents } from '../service/live.ts';
import { throttle } from '../service/throttle.ts';
import { useSession } from './session.tsx';

/** While a stream reports changes, polling only renews what it does not report, such as the time and the health. */
const POLL_BESIDE_STREAM_MS = 60_000;

/** The reason why a page refreshes: its interval is over, or the service has reported a change. */
export type RefreshCause = 'POLL' | 'CHANGE';

type LiveOptions = {
  /** The path of a stream of the service; null for none. */
  path: string | null;
  /** The token of the link that the path names, where the user has it. */
  token?: string | undefined;
  /** Requests what the page shows. It is called once at a time, and less often the longer it takes. */
  refresh(cause: RefreshCause): Promise<void>;
  /** Returns true for the data of an event that the page shows already. */
  isShown?(data: unknown): boolean;
  /** The interval of refreshes while there is no stream. */
  pollEachMs: number;
  isPaused?: boolean;
};

/**
 * Refreshes a page when the service reports a change, while the page is visible and not paused. Where it gets no
 * stream, it polls.
 */
export function useLive({ path, token, pollEachMs, isPaused = false, ...options }: LiveOptions): void {
  const { isReady } = useSession();
  const isVisible = useVisibility();
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(options);
  latest.current = options;
  const [refreshSoon] = useState(() => throttle((cause: RefreshCause) => latest.current.refresh(cause)));

  useEffect(() => {
    if (path === null || isPaused || !isReady || !isVisible) return undefined;
    const stop = followEvents({
      path,
      token,
      onEvent: (data) => {
        if (!latest.current.isShown?.(data)) refreshSoon('CHANGE');
      },
      onConnection: setOpen,
    });
    return () => {
      stop();
      setOpen(false);
    };
  }, [path, token, isPaused, isReady, isVisible]);
  const poll = useCallback(() => refreshSoon('POLL'), []);
  usePolling(poll, isOpen ? POLL_BESIDE_STREAM_MS : pollEachMs, isPaused);
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const update = (): void => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}

/**
 * Calls `refresh` each interval while the page is visible, and when it becomes visible again. After the user has
 * signed in again, it refreshes at once what could not be requested meanwhile.
 */
export function usePolling(refresh: () => void, intervalMs: number, isPaused = false): void {
  const { isReady } = useSession();
  const wasReady = useRef(true);
  useEffect(() => {
    if (isReady && !wasReady.current) refresh();
    wasReady.current = isReady;
    if (isPaused || !isReady) return undefined;
    const refreshIfVisible = (): void => {
      if (document.visibilityState === 'visible') refresh();
    };
    const timer = setInterval(refreshIfVisible, intervalMs);
    document.addEventListener('visibilitychange', refreshIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfVisible);
    };
  }, [refresh, intervalMs, isPaused, isReady]);
}
