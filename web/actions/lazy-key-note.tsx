import { lazy } from '../shell/lazy.tsx';

/** What a user must know who shares the address of an encrypted link. */
export const LazyKeyNote = lazy<{ arrivedAt?: string | undefined }>(
  async () => (await import('./key-note.tsx')).KeyNote,
);
