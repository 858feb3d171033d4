import { lazyDialog } from './lazy-dialog.tsx';

/** The dialog that changes a link. */
export const LazyEditDialog = lazyDialog(
  'edit.title',
  async () => (await import('./edit-dialog.tsx')).EditDialog,
);
