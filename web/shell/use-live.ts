import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../service/outcome.ts';
import { request } from '../service/requests.ts';
import { throttle } from '../service/throttle.ts';
import { useSession } from './session.tsx';

/** The interval in which a page asks whether something has changed. */
const ASK_EACH_MS = 5_000;
/** The interval in which a page renews the rest, such as the time and the health. */
const POLL_EACH_MS = 60_000;

/** The reason why a page refreshes: its interval is over, or something has changed. */
export type RefreshCause = 'POLL' | 'CHANGE';

type LiveOptions = {
  /** The path of a document whose entity tag differs when something has changed; null for none. */
  path: string | null;
  /** The token of the link that the path names, where the user has it. */
  token?: string | undefined;
  /** Requests what the page shows. It is called once at a time, and less often the longer it takes. */
  refresh(cause: RefreshCause): Promise<void>;
  /** Returns true for a document that the page shows already. */
  isShown?(document: unknown): boolean;
  /** The interval of refreshes without a path. */
  pollEachMs?: number;
  isPaused?: boolean;
};

/** Refreshes a page when something has changed, while the page is visible and not paused. */
export function useLive({ path, token, pollEachMs, isPaused = false, ...options }: LiveOptions): void {
  const latest = useRef(options);
  latest.current = options;
  const [refreshSoon] = useState(() => throttle((cause: RefreshCause) => latest.current.refresh(cause)));
  const tag = useRef<string | undefined>(undefined);
  const ask = async (): Promise<void> => {
    if (path === null) return;
    const headers = { ...(tag.current !== undefined && { 'if-none-match': tag.current }) };
    const outcome = await request(path, { token, headers, cache: 'no-store' }, 304);
    if (outcome.kind !== 'DONE') return refreshSoon('POLL'); // which reports the reason
    const { entityTag, body } = outcome.value;
    if (entityTag === null || entityTag === tag.current) return;
    tag.current = entityTag;
    if (!latest.current.isShown?.(parseJson(body))) refreshSoon('CHANGE');
  };
  const latestAsk = useRef(ask);
  latestAsk.current = ask;
  const [askSoon] = useState(() => throttle<void>(() => latestAsk.current()));
  usePolling(askSoon, ASK_EACH_MS, isPaused || path === null);
  const poll = useCallback(() => refreshSoon('POLL'), []);
  usePolling(poll, path === null ? (pollEachMs ?? POLL_EACH_MS) : POLL_EACH_MS, isPaused);
}

/**
 * Calls `refresh` each interval while the page is visible, and when it becomes visible again. After the user has
 * signed in again, it refreshes at once what could not be requested meanwhile.
 */
export function usePolling(refresh: () => unknown, intervalMs: number, isPaused = false): void {
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
