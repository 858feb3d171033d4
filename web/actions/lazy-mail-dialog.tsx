import { lazy } from '../shell/lazy.tsx';

/** Mails a link to its recipient. */
export const LazyMailDialog = lazy(async () => (await import('./mail-dialog.tsx')).MailDialog);
