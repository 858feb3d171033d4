import type { ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FormAlert } from '../create/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { Dialog } from '../shell/dialog.tsx';
import type { EditDialog } from './edit-dialog.tsx';

/** The dialog that changes a link. Most visits of a page need none, so its code is loaded when it opens. */
export function LazyEditDialog(props: ComponentProps<typeof EditDialog>) {
  const { t } = useI18n();
  const [loaded, setLoaded] = useState<{ EditDialog: typeof EditDialog } | 'FAILED'>();
  useEffect(() => {
    import('./edit-dialog.tsx').then(setLoaded, () => setLoaded('FAILED'));
  }, []);
  if (loaded === undefined) return null;
  if (loaded !== 'FAILED') return <loaded.EditDialog {...props} />;
  return (
    <Dialog title={t('edit.title')} onClose={props.onClose}>
      <FormAlert error={{ field: null, text: t('error.unreachable') }} />
    </Dialog>
  );
}
