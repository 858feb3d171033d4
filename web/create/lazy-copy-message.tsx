import { lazy } from '../shell/lazy.tsx';
import type { NewLink } from './use-submission.ts';

type Props = { created: NewLink; url: string; onClose?(): void };

/** The button for the message: only a created link needs it. */
export const LazyCopyMessage = lazy<Props>(async () => (await import('./copy-message.tsx')).CopyMessage);
