import { useI18n } from '../i18n/i18n.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { type Component, lazy } from './lazy.tsx';

/** Returns a dialog whose code is loaded when it opens first. */
export function lazyDialog<Props extends { onClose(): void }>(
  title: 'edit.title' | 'select.extend' | 'tags',
  load: () => Promise<Component<Props>>,
): Component<Props> {
  return lazy(load, ({ onClose, children }) => {
    const { t } = useI18n();
    return (
      <Dialog title={t(title)} onClose={onClose}>
        {children}
      </Dialog>
    );
  });
}
