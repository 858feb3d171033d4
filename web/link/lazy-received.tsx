import { lazy } from '../shell/lazy.tsx';
import type { ReceivedAccess, ReceivedFacts } from './received.tsx';

/** Most links have no files that arrived with a file request. */
export const LazyReceivedFacts = lazy<Parameters<typeof ReceivedFacts>[0]>(
  async () => (await import('./received.tsx')).ReceivedFacts,
);
export const LazyReceivedAccess = lazy<Parameters<typeof ReceivedAccess>[0]>(
  async () => (await import('./received.tsx')).ReceivedAccess,
);
export const LazyDownloadNote = lazy<object>(async () => (await import('./received.tsx')).DownloadNote);
