import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { copyLabelOf } from '../actions/copy-label.ts';
import { LazyEditDialog } from '../actions/edit/lazy-edit-dialog.tsx';
import { LazyOwnerDialog, LazyTeamDialog } from '../actions/lazy-holder-dialogs.tsx';
import { LazyKeyNote } from '../actions/lazy-key-note.tsx';
import { toMessage, toMessageFacts } from '../actions/message.ts';
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
import { DownloadButton, DownloadNote } from './download-button.tsx';

type Props = {
  link: LinkReference;
  description: LinkDescription;
  url: string;
  title: string;
  /** Called when the link was changed or revoked. */
  onChanged(): void;
};

type Action = 'EDIT' | 'QR' | 'OWNER' | 'TEAM' | 'REVOKE';

/** The actions on a link: all except copying need its token, the key that created it, or one that manages links. */
export function LinkActions(props: Props) {
  const { link, description, url, onChanged } = props;
  const management = useManagement(link, description, onChanged);
  const mayEdit = management.isAllowed && description.status !== 'REVOKED';
  // Mails lead to the form with "Notify me".
  const [opened, setOpened] = useState<Action | undefined>(
    location.hash === '#edit' && mayEdit ? 'EDIT' : undefined,
  );
  const isLoadable = description.requestCode !== undefined && description.state === 'ACTIVE';
  const note = description.file?.encrypted && (
    <LazyKeyNote arrivedAt={description.requestCode === undefined ? undefined : url} />
  );
  return (
    <>
      {note}
      <div class="actions">
        {isLoadable && <DownloadButton description={description} isMain />}
        <CopyButtons {...props} />
        <ActionButtons {...props} management={management} onOpen={setOpened} />
      </div>
      {isLoadable && <DownloadNote />}
      {management.error && <FormAlert error={management.error} />}
      <ActionDialog {...props} {...{ opened, management, note }} onClose={() => setOpened(undefined)} />
    </>
  );
}

function CopyButtons({ description, url }: Props) {
  const i18n = useI18n();
  const { t } = i18n;
  return (
    <>
      <CopyButton
        text={url}
        label={t(copyLabelOf(description))}
        isLabelShown
        kind={description.requestCode === undefined ? 'main' : 'quiet'}
      />
      <CopyButton
        text={toMessage(url, toMessageFacts(description), i18n)}
        label={t('message.copy')}
        isLabelShown
        kind="quiet"
      />
    </>
  );
}

type Management = ReturnType<typeof useManagement>;
type ButtonsProps = Props & { management: Management; onOpen(action: Action): void };

function ActionButtons({ link, description, management, onOpen }: ButtonsProps) {
  const { t } = useI18n();
  const { caller } = useSession();
  const { isAllowed, isPaused, togglePause } = management;
  const { mayHandOver, mayShare } = rightsOf(description, caller, link.token !== undefined);
  const { status, state } = description;
  const isKept = status !== 'REVOKED';
  const open = (action: Action) => () => onOpen(action);
  const buttons = [
    { name: 'QR', label: t('qr.title'), isOffered: true, onClick: open('QR') },
    { name: 'EDIT', label: t('edit'), isOffered: isAllowed && isKept, onClick: open('EDIT') },
    {
      name: 'PAUSE',
      label: t(state === 'PAUSED' ? 'link.resume' : 'link.pause'),
      isOffered: isAllowed && (status === 'ACTIVE' || isPaused),
      onClick: () => void togglePause(),
    },
    { name: 'OWNER', label: t('owner.change'), isOffered: isKept && mayHandOver, onClick: open('OWNER') },
    { name: 'TEAM', label: t('team.share'), isOffered: isKept && mayShare, onClick: open('TEAM') },
    { name: 'REVOKE', label: t('revoke'), isOffered: isKept, onClick: open('REVOKE') },
  ];
  return (
    <>
      {buttons.map(
        ({ name, label, isOffered, onClick }) =>
          isOffered && (
            <button key={name} type="button" class="button" onClick={onClick}>
              {label}
            </button>
          ),
      )}
    </>
  );
}

type DialogProps = Props & {
  opened: Action | undefined;
  management: Management;
  note: ComponentChildren;
  onClose(): void;
};

/** The dialog of the action that the user has chosen. */
function ActionDialog({ opened, management, note, onClose, ...props }: DialogProps) {
  const { link, description, url, title, onChanged } = props;
  const { isAllowed, isPaused, togglePause, change } = management;
  const choose = (toPatch: ToPatch): void => {
    onClose();
    void change(toPatch(description) ?? {});
  };
  const isPausable = isAllowed && !isPaused && description.status === 'ACTIVE';
  switch (opened) {
    case undefined:
      return null;
    case 'EDIT':
      return <LazyEditDialog link={link} onClose={onClose} onSaved={onChanged} />;
    case 'QR':
      return <QrDialog url={url} shortCode={link.shortCode} note={note} onClose={onClose} />;
    case 'OWNER':
      return <LazyOwnerDialog count={1} onChoose={choose} onClose={onClose} />;
    case 'TEAM':
      return <LazyTeamDialog count={1} team={description.team ?? null} onChoose={choose} onClose={onClose} />;
    case 'REVOKE':
      return (
        <RevokeDialog
          link={{ ...link, accessUrl: url, type: description.type, title }}
          description={description}
          onPause={isPausable ? () => void togglePause().then(onClose) : undefined}
          onClose={onClose}
          onRevoked={onChanged}
        />
      );
  }
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
