import { useEffect, useRef } from 'preact/hooks';
import { useSession } from './session.tsx';

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
