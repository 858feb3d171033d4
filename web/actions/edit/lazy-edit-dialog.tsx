import { lazy } from '../../shell/lazy.tsx';

/** The dialog that changes a link. */
export const LazyEditDialog = lazy(async () => (await import('./edit-dialog.tsx')).EditDialog);
