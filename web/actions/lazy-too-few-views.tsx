import { lazy } from '../shell/lazy.tsx';
import type { TooFewViews } from './too-few-views.tsx';

/** The note that the views of a link are too few, which most links do not need. */
export const LazyTooFewViews = lazy<Parameters<typeof TooFewViews>[0]>(
  async () => (await import('./too-few-views.tsx')).TooFewViews,
);
