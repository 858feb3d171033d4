import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { revokeLink } from '../service/links.ts';
import { Dialog } from '../shell/dialog.tsx';
import { toLinkFacts } from '../shell/link-facts.ts';
import { useSession } from '../shell/session.tsx';
import { FormAlert, type FormError, toFormError } from './form-error.tsx';
import type { SavedLink } from './saved-links.ts';

type Props = {
  link: SavedLink;
  /** Undefined as long as it is unknown. */
  description: LinkDescription | undefined;
  onClose(): void;
  onRevoked(): void;
};

/** Revokes a link for good, after a confirmation. */
export function RevokeDialog({ link, description, onClose, onRevoked }: Props) {
  const i18n = useI18n();
  const { t } = i18n;
  const { may } = useSession();
  const [error, setError] = useState<FormError>();
  const facts = toLinkFacts(description ?? {}, t);
  // Only those who may change the link see its target, which is null for a file.
  const isAllowed = link.token !== undefined || may('manage') || description?.targetUrl !== undefined;
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
        <br />
        {[...facts.filter((fact) => fact !== link.title), link.shortCode].join(' · ')}
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
