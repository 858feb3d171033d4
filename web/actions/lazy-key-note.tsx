import { lazy } from '../shell/lazy.tsx';

/** Facts for a user who shares the address of an encrypted link. */
export const LazyKeyNote = lazy<{ arrivedAt?: string | undefined }>(
  async () => (await import('./key-note.tsx')).KeyNote,
);
