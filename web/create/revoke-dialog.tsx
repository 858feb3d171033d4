import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { revokeLink } from '../service/links.ts';
import { Dialog } from '../shell/dialog.tsx';
import { FormAlert, type FormError, toFormError } from './form-error.tsx';
import type { SavedLink } from './saved-links.ts';

type Props = { link: SavedLink; onClose(): void; onRevoked(): void };

/** Asks for confirmation before a link is revoked for good. */
export function RevokeDialog({ link, onClose, onRevoked }: Props) {
  const { t } = useI18n();
  const [error, setError] = useState<FormError>();
  const revoke = async (): Promise<void> => {
    const outcome = await revokeLink(link.shortCode);
    if (outcome.kind !== 'DONE') return setError(toFormError(outcome, t));
    onRevoked();
    onClose();
  };
  return (
    <Dialog title={t('revoke.title')} onClose={onClose}>
      <p class="file-name">
        <strong>{link.title}</strong>
      </p>
      <p>{t('revoke.warning')}</p>
      {error && <FormAlert error={error} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button type="button" class="button button-danger" onClick={() => void revoke()}>
          {t('revoke')}
        </button>
      </div>
    </Dialog>
  );
}
