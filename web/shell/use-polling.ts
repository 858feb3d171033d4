import { useEffect } from 'preact/hooks';

/** Calls `refresh` each interval while the page is visible, and when it becomes visible again. */
export function usePolling(refresh: () => void, intervalMs: number, isPaused = false): void {
  useEffect(() => {
    if (isPaused) return undefined;
    const refreshIfVisible = (): void => {
      if (document.visibilityState === 'visible') refresh();
    };
    const timer = setInterval(refreshIfVisible, intervalMs);
    document.addEventListener('visibilitychange', refreshIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfVisible);
    };
  }, [refresh, intervalMs, isPaused]);
}
