import { lazy } from '../shell/lazy.tsx';
import type { RestrictionNote } from './restriction-notes.tsx';

/** What the page of a new link says of those who may open it. */
export const LazyRestrictionNote = lazy<Parameters<typeof RestrictionNote>[0]>(
  async () => (await import('./restriction-notes.tsx')).RestrictionNote,
);
