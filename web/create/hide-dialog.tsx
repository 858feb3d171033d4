import { useI18n } from '../i18n/i18n.tsx';
import { Dialog } from '../shell/dialog.tsx';
import type { SavedLink } from './saved-links.ts';

type Props = { link: SavedLink; onClose(): void; onHide(): void };

/** Hides a link that can still be opened, after a confirmation. */
export function HideDialog({ link, onClose, onHide }: Props) {
  const { t } = useI18n();
  return (
    <Dialog title={t('hide.title')} onClose={onClose}>
      <p class="file-name">
        <strong>{link.title}</strong>
      </p>
      <p>{t('hide.warning')}</p>
      <div class="actions dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class="button button-main"
          onClick={() => {
            onClose();
            onHide();
          }}
        >
          {t('hide')}
        </button>
      </div>
    </Dialog>
  );
}
