import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { copyLabelOf } from '../actions/copy-label.ts';
import { LazyEditDialog } from '../actions/edit/lazy-edit-dialog.tsx';
import { LazyOwnerDialog, LazyTeamDialog } from '../actions/lazy-holder-dialogs.tsx';
import { LazyKeyNote } from '../actions/lazy-key-note.tsx';
import { LazyMailDialog } from '../actions/lazy-mail-dialog.tsx';
import { toMessage, toMessageFacts } from '../actions/message.ts';
import { QrDialog } from '../actions/qr-dialog.tsx';
import { RevokeDialog } from '../actions/revoke-dialog.tsx';
import { rightsOf } from '../actions/rights.ts';
import { toShortUrl } from '../actions/shown-urls.ts';
import { FormAlert, type FormError, toFormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { ToPatch } from '../service/change-links.ts';
import type { LinkDescription } from '../service/contract.ts';
import {
  changeLink,
  type LinkReference,
  mayChange,
  recordPageUrl,
  type TypedPatch,
} from '../service/links.ts';
import { CopyButton, copy } from '../shell/copy-button.tsx';
import { Menu, type MenuItem } from '../shell/menu.tsx';
import { useSession } from '../shell/session.tsx';
import { DownloadButton } from './download-button.tsx';
import { LazyDownloadNote, LazyReceivedAccess } from './lazy-received.tsx';

type Props = {
  link: LinkReference;
  description: LinkDescription;
  url: string;
  title: string;
  /** Called when the link was changed or revoked. */
  onChanged(): void;
};

/** Mails lead to the form with "Notify me", and records to what ends that others can open the link. */
const ASKED_ACTIONS = new Map<string, Action>([
  ['#edit', 'EDIT'],
  ['#revoke', 'REVOKE'],
]);

type Action = 'EDIT' | 'EXPIRY' | 'MAIL' | 'QR' | 'OWNER' | 'TEAM' | 'REVOKE';

/** The actions on a link. To change it takes its token, being its owner or of its team, or the scope `manage`. */
export function LinkActions(props: Props) {
  const { link, description, url, onChanged } = props;
  const management = useManagement(link, description, onChanged);
  const mayEdit = management.isAllowed && description.status !== 'REVOKED';
  const [opened, setOpened] = useState<Action | undefined>(
    mayEdit ? ASKED_ACTIONS.get(location.hash) : undefined,
  );
  const [said, setSaid] = useState<string>();
  const isLoadable = description.requestCode !== undefined && description.state === 'ACTIVE';
  const note = description.file?.encrypted && (
    <LazyKeyNote arrivedAt={description.requestCode === undefined ? undefined : url} />
  );
  return (
    <>
      {note}
      <div class="actions">
        {isLoadable && <DownloadButton description={description} isMain />}
        <ActionButtons {...props} {...{ management, isLoadable }} onOpen={setOpened} />
        <MoreActions {...props} management={management} onOpen={setOpened} onSaid={setSaid} />
      </div>
      <p class={said === undefined ? 'visually-hidden' : undefined} role="status">
        {said}
      </p>
      {isLoadable && <LazyDownloadNote />}
      {isLoadable && (
        <LazyReceivedAccess
          {...{ description, url }}
          shownUrl={toShortUrl(url)}
          onSetExpiry={mayEdit ? () => setOpened('EXPIRY') : undefined}
        >
          <RevokeButton onClick={() => setOpened('REVOKE')} />
        </LazyReceivedAccess>
      )}
      {management.error && <FormAlert error={management.error} />}
      <ActionDialog
        {...props}
        {...{ opened, management, note }}
        onSaid={setSaid}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}

type Management = ReturnType<typeof useManagement>;
type ButtonsProps = Props & { management: Management; onOpen(action: Action): void };

/** The actions that most visits of the page are for. `isLoadable`: copying and revoking are offered with the access to the files. */
function ActionButtons({
  link,
  description,
  url,
  management,
  isLoadable,
  onOpen,
}: ButtonsProps & { isLoadable: boolean }) {
  const { t, ofRequests } = useI18n();
  const { isAllowed, isPaused, togglePause } = management;
  const { status, state, requestCode } = description;
  const isKept = status !== 'REVOKED';
  return (
    <>
      {isKept && !isLoadable && (
        <CopyButton
          text={url}
          label={t(copyLabelOf(description))}
          isLabelShown
          kind={requestCode === undefined && OPENABLE_STATES.includes(state) ? 'main' : 'quiet'}
        />
      )}
      {isAllowed && isPaused && (
        <button type="button" class="button" onClick={() => void togglePause()}>
          {t('link.resume')}
        </button>
      )}
      {isAllowed && isKept && (
        <button type="button" class="button" onClick={() => onOpen('EDIT')}>
          {t('edit')}
        </button>
      )}
      <a class="button" href={recordPageUrl(link.shortCode)}>
        {(requestCode === undefined ? t : ofRequests)('record.open')}
      </a>
      {isKept && !isLoadable && <RevokeButton onClick={() => onOpen('REVOKE')} />}
    </>
  );
}

function RevokeButton({ onClick }: { onClick(): void }) {
  const { t } = useI18n();
  return (
    <button type="button" class="button" onClick={onClick}>
      {t('revoke')}
    </button>
  );
}

/** The menu with the other actions. */
function MoreActions(props: ButtonsProps & { onSaid(text: string): void }) {
  const { link, description, url, management, onOpen, onSaid } = props;
  const i18n = useI18n();
  const { t } = i18n;
  const { caller, settings } = useSession();
  const { isAllowed, isPaused, togglePause } = management;
  const { mayHandOver, mayShare } = rightsOf(description, caller, link.token !== undefined);
  const isKept = description.status !== 'REVOKED';
  const mayMail = settings?.notify.recipient && isAllowed && OPENABLE_STATES.includes(description.state);
  const copyMessage = async (): Promise<void> => {
    const isCopied = await copy(toMessage(url, toMessageFacts(description), i18n));
    onSaid(t(isCopied ? 'copy.done' : 'copy.failed'));
  };
  const open = (action: Action) => () => onOpen(action);
  const items: (MenuItem | false | undefined)[] = [
    isKept && { label: t('message.copy'), onChoose: () => void copyMessage() },
    mayMail && { label: t('mailLink'), onChoose: open('MAIL') },
    isKept && { label: t('qr.title'), onChoose: open('QR') },
    isAllowed &&
      !isPaused &&
      description.status === 'ACTIVE' && { label: t('link.pause'), onChoose: () => void togglePause() },
    isKept && mayHandOver && { label: t('owner.change'), onChoose: open('OWNER') },
    isKept && mayShare && { label: t('team.share'), onChoose: open('TEAM') },
  ];
  return (
    isKept && (
      <Menu
        label={t('actions.more')}
        text={t('actions.more')}
        items={items.filter((item) => typeof item === 'object')}
      />
    )
  );
}

/** The states in which a link can be opened, or later. */
const OPENABLE_STATES: LinkDescription['state'][] = ['ACTIVE', 'PAUSED', 'SCHEDULED'];

type DialogProps = Props & {
  opened: Action | undefined;
  management: Management;
  note: ComponentChildren;
  onSaid(text: string): void;
  onClose(): void;
};

/** The dialog of the action that the user has chosen. */
function ActionDialog({ opened, management, note, onSaid, onClose, ...props }: DialogProps) {
  const { t } = useI18n();
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
    case 'EXPIRY':
      return (
        <LazyEditDialog
          {...{ link, onClose }}
          {...(opened === 'EXPIRY' && { focused: 'expiresAt' as const })}
          onSaved={onChanged}
        />
      );
    case 'MAIL':
      return (
        <LazyMailDialog
          link={{
            ...{ ...link, passwordProtected: description.passwordProtected },
            ...(description.recipient != null && { recipient: description.recipient }),
            ...(description.verifiedRecipients && { verifiedRecipients: description.verifiedRecipients }),
            file: { encrypted: description.file?.encrypted === true },
          }}
          onSent={(address) => {
            onSaid(t('entry.mailed', { address }));
            onChanged();
          }}
          onClose={onClose}
        />
      );
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
function useManagement(link: LinkReference, description: LinkDescription, onChanged: () => void) {
  const i18n = useI18n();
  const [error, setError] = useState<FormError>();
  const isPaused = description.state === 'PAUSED';
  const change = async (patch: TypedPatch): Promise<void> => {
    const outcome = await changeLink(link, patch, null);
    setError(outcome.kind === 'DONE' ? undefined : toFormError(outcome, i18n));
    if (outcome.kind === 'DONE') onChanged();
  };
  const togglePause = (): Promise<void> => change({ paused: !isPaused });
  const isAllowed = mayChange(link, description);
  return { isAllowed, isPaused, togglePause, change, error };
}
