import { useState } from 'preact/hooks';
import { copyLabelOf } from '../actions/copy-label.ts';
import { LazyEditDialog } from '../actions/edit/lazy-edit-dialog.tsx';
import { LazyOwnerDialog, LazyTeamDialog } from '../actions/lazy-holder-dialogs.tsx';
import { LazyKeyNote } from '../actions/lazy-key-note.tsx';
import { toMessage } from '../actions/message.ts';
import { QrDialog } from '../actions/qr-dialog.tsx';
import { RevokeDialog } from '../actions/revoke-dialog.tsx';
import { rightsOf } from '../actions/rights.ts';
import { FormAlert, type FormError, toFormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { ToPatch } from '../service/change-links.ts';
import type { LinkDescription } from '../service/contract.ts';
import { changeLink, type LinkReference, type TypedPatch } from '../service/links.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { useSession } from '../shell/session.tsx';

type Props = {
  link: LinkReference;
  description: LinkDescription;
  url: string;
  title: string;
  /** Called when the link was changed or revoked. */
  onChanged(): void;
};

/** The actions on a link: all except copying need its token, the key that created it, or one that manages links. */
export function LinkActions({ link, description, url, title, onChanged }: Props) {
  const i18n = useI18n();
  const { t } = i18n;
  const { caller } = useSession();
  const [opened, setOpened] = useState<'EDIT' | 'QR' | 'OWNER' | 'TEAM' | 'REVOKE'>();
  const { isAllowed, isPaused, togglePause, change, error } = useManagement(link, description, onChanged);
  const { mayHandOver, mayShare } = rightsOf(description, caller, link.token !== undefined);
  const { status, state, type } = description;
  const note = description.file?.encrypted && (
    <LazyKeyNote arrivedAt={description.requestCode === undefined ? undefined : url} />
  );
  const close = (): void => setOpened(undefined);
  const choose = (toPatch: ToPatch): void => {
    close();
    void change(toPatch(description) ?? {});
  };
  return (
    <>
      {note}
      <div class="actions">
        {description.requestCode !== undefined && state === 'ACTIVE' && (
          <a class="button" href={url}>
            {t('request.download')}
          </a>
        )}
        <CopyButton text={url} label={t(copyLabelOf(description))} isLabelShown kind="main" />
        <CopyButton
          text={toMessage(url, description, i18n)}
          label={t('message.copy')}
          isLabelShown
          kind="quiet"
        />
        <button type="button" class="button" onClick={() => setOpened('QR')}>
          {t('qr.title')}
        </button>
        {isAllowed && status !== 'REVOKED' && (
          <button type="button" class="button" onClick={() => setOpened('EDIT')}>
            {t('edit')}
          </button>
        )}
        {isAllowed && (status === 'ACTIVE' || isPaused) && (
          <button type="button" class="button" onClick={() => void togglePause()}>
            {t(state === 'PAUSED' ? 'link.resume' : 'link.pause')}
          </button>
        )}
        {status !== 'REVOKED' && mayHandOver && (
          <button type="button" class="button" onClick={() => setOpened('OWNER')}>
            {t('owner.change')}
          </button>
        )}
        {status !== 'REVOKED' && mayShare && (
          <button type="button" class="button" onClick={() => setOpened('TEAM')}>
            {t('team.share')}
          </button>
        )}
        {status !== 'REVOKED' && (
          <button type="button" class="button" onClick={() => setOpened('REVOKE')}>
            {t('revoke')}
          </button>
        )}
      </div>
      {error && <FormAlert error={error} />}
      {opened === 'EDIT' && <LazyEditDialog link={link} onClose={close} onSaved={onChanged} />}
      {opened === 'QR' && <QrDialog url={url} shortCode={link.shortCode} note={note} onClose={close} />}
      {opened === 'OWNER' && <LazyOwnerDialog count={1} onChoose={choose} onClose={close} />}
      {opened === 'TEAM' && (
        <LazyTeamDialog count={1} team={description.team ?? null} onChoose={choose} onClose={close} />
      )}
      {opened === 'REVOKE' && (
        <RevokeDialog
          link={{ ...link, accessUrl: url, type, title }}
          description={description}
          onPause={
            isAllowed && !isPaused && status === 'ACTIVE' ? () => void togglePause().then(close) : undefined
          }
          onClose={close}
          onRevoked={onChanged}
        />
      )}
    </>
  );
}

/** Changes a link, also after other changes of it. */
function useManagement(link: LinkReference, { state, targetUrl }: LinkDescription, onChanged: () => void) {
  const i18n = useI18n();
  const [error, setError] = useState<FormError>();
  const isPaused = state === 'PAUSED';
  const change = async (patch: TypedPatch): Promise<void> => {
    const outcome = await changeLink(link, patch, null);
    setError(outcome.kind === 'DONE' ? undefined : toFormError(outcome, i18n));
    if (outcome.kind === 'DONE') onChanged();
  };
  const togglePause = (): Promise<void> => change({ paused: !isPaused });
  // Only those who may change the link see its target, which is null for a file.
  const isAllowed = link.token !== undefined || targetUrl !== undefined;
  return { isAllowed, isPaused, togglePause, change, error };
}
