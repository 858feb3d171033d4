import { lazy } from '../shell/lazy.tsx';
import type { NewLink } from './use-submission.ts';

/** The button for the message: only a created link needs it. */
export const LazyCopyMessage = lazy<{ created: NewLink; url: string }>(
  async () => (await import('./copy-message.tsx')).CopyMessage,
);
