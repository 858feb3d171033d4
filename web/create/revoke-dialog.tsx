import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { revokeLink } from '../service/links.ts';
import type { SavedLink } from '../service/saved-links.ts';
import { ConfirmDialog } from '../shell/dialog.tsx';
import { toLinkFacts } from '../shell/link-facts.ts';
import { useSession } from '../shell/session.tsx';
import { FormAlert, type FormError, toFormError } from './form-error.tsx';

type Props = {
  link: SavedLink;
  /** Undefined as long as it is unknown. */
  description: LinkDescription | undefined;
  /** Pauses the link instead. Undefined where that is not possible. */
  onPause?: (() => void) | undefined;
  onClose(): void;
  onRevoked(): void;
};

/** Revokes a link for good, after a confirmation. */
export function RevokeDialog({ link, description, onPause, onClose, onRevoked }: Props) {
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
    <ConfirmDialog
      title={t('revoke.title')}
      action={isAllowed ? t('revoke') : undefined}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      <p class="file-name">
        <strong>{link.title}</strong>
        <br />
        {[...facts.filter((fact) => fact !== link.title), link.shortCode].join(' · ')}
      </p>
      <p>{isAllowed ? t('revoke.warning') : t('scope.manage')}</p>
      {onPause && (
        <p class="actions">
          {t('revoke.pauseHint')}
          <button type="button" class="button" onClick={onPause}>
            {t('revoke.pause')}
          </button>
        </p>
      )}
      {error && <FormAlert error={error} />}
    </ConfirmDialog>
  );
}
