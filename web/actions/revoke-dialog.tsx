import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { mayChange, revokeLink } from '../service/links.ts';
import type { SavedLink } from '../service/saved-links.ts';
import { nameOfLink, toLinkFacts } from '../shell/link-facts.ts';
import { useSession } from '../shell/session.tsx';

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
  const { form, send } = useSend();
  const name = description ? nameOfLink(description, i18n, link.title) : link.title;
  const target = link.type === 'REDIRECT' && (description?.targetUrl ?? link.title);
  const facts = [...toLinkFacts(description ?? {}, t), target].filter((fact) => fact && fact !== name);
  const isAllowed = may('manage') || mayChange(link, description ?? {});
  const revoke = async (): Promise<void> => {
    if (!(await send(revokeLink(link)))) return;
    onRevoked();
    onClose();
  };
  return (
    <FormDialog
      title={t('revoke.title')}
      action={isAllowed ? t('revoke') : undefined}
      isDangerous
      onSubmit={() => void revoke()}
      onClose={onClose}
      {...form}
    >
      <p class="break">
        <strong>{name}</strong>
        <br />
        {[...facts, link.shortCode].join(' · ')}
      </p>
      <p>{isAllowed ? t('revoke.warning', { count: 1 }) : t('scope.manage')}</p>
      {onPause && (
        <p class="actions">
          {t('revoke.pauseHint', { count: 1 })}
          <button type="button" class="button" onClick={onPause}>
            {t('revoke.pause')}
          </button>
        </p>
      )}
    </FormDialog>
  );
}
