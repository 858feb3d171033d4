import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { revokeLink } from '../service/links.ts';
import { useSession } from '../shell/session.tsx';
import { FormAlert, type FormError, toFormError } from './form-error.tsx';
import type { SavedLink } from './saved-links.ts';

type Props = { link: SavedLink; onClose(): void; onRevoked(): void };

/** Revokes a link for good, after a confirmation. */
export function RevokeDialog({ link, onClose, onRevoked }: Props) {
  const i18n = useI18n();
  const { t } = i18n;
  const { may } = useSession();
  const [error, setError] = useState<FormError>();
  const isAllowed = link.token !== undefined || may('manage');
  const revoke = async (): Promise<void> => {
    const outcome = await revokeLink(link);
    if (outcome.kind !== 'DONE') return setError(toFormError(outcome, i18n));
    onRevoked();
    onClose();
  };
  return (
    <Dialog title={t('revoke.title')} onClose={onClose}>
      <p class="file-name">
        <strong>{link.title}</strong>
      </p>
      <p>{isAllowed ? t('revoke.warning') : t('scope.manage')}</p>
      {error && <FormAlert error={error} />}
      <div class="actions dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('cancel')}
        </button>
        {isAllowed && (
          <button type="button" class="button button-danger" onClick={() => void revoke()}>
            {t('revoke')}
          </button>
        )}
      </div>
    </Dialog>
  );
}

type DialogProps = { title: string; children: ComponentChildren; onClose(): void };

/** A modal dialog. The browser keeps the focus inside it, closes it on Escape and restores the focus. */
function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const focused = document.activeElement;
    current?.showModal();
    current?.addEventListener('close', onClose);
    return () => {
      // The event arrives late, when it would close the next dialog.
      current?.removeEventListener('close', onClose);
      current?.close();
      if (focused instanceof HTMLElement) focused.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        // The owner removes the dialog. A closed one left in place would not open again.
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
