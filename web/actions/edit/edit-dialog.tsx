import { useEffect, useRef, useState } from 'preact/hooks';
import { FormAlert, type FormError } from '../../form/form-error.tsx';
import { RequestWords, useI18n } from '../../i18n/i18n.tsx';
import type { LinkDescription } from '../../service/contract.ts';
import type { LinkReference } from '../../service/links.ts';
import { SecretDialog, WebhookSecret } from '../../shell/copy-button.tsx';
import { ConfirmDialog, Dialog, DialogButtons } from '../../shell/dialog.tsx';
import { useLeaveWarning } from '../../shell/use-browser.ts';
import { ConflictNote } from './conflict-note.tsx';
import { EditFields } from './edit-fields.tsx';
import { FilesDialog, hasFiles } from './files-dialog.tsx';
import { CodeDialog, FileDialog } from './part-dialogs.tsx';
import { useEdit } from './use-edit.ts';

type Props = {
  link: LinkReference;
  /** The name of the field that takes the focus. */
  focused?: 'expiresAt';
  onClose(): void;
  onSaved(link: LinkDescription): void;
};

/** Changes the terms and the labels of a link. Asks before it drops changes. */
export function EditDialog({ link, focused, onClose, onSaved }: Props) {
  const { t } = useI18n();
  const [secret, setSecret] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const [part, setPart] = useState<Part>();
  const edit = useEdit(link, (saved) => {
    onSaved(saved.link);
    if (saved.webhookSecret === null) return onClose();
    setAsking(false);
    setSecret(saved.webhookSecret);
  });
  const [isCopied, setCopied] = useState(false);
  const isUnsaved = secret === undefined ? edit.hasChanges : !isCopied;
  useLeaveWarning(isUnsaved);
  const close = (): void => {
    if (isUnsaved) setAsking(true);
    else onClose();
  };
  const ofFiles = {
    link,
    onClose: () => setPart(undefined),
    onSaved: (saved: LinkDescription) => {
      setPart(undefined);
      onSaved(saved);
      if (!edit.hasChanges) onClose();
    },
  };
  return (
    <RequestWords isOn={edit.link?.type === 'REQUEST'}>
      {/* First, so that it gives the focus back before the other dialog does. */}
      {isAsking && secret !== undefined && (
        <SecretDialog onClose={() => setAsking(false)} onDiscard={onClose} />
      )}
      {part === 'CODE' && <CodeDialog link={link} onClose={() => setPart(undefined)} />}
      {part === 'FILE' && <FileDialog {...ofFiles} />}
      {part === 'FILES' && <FilesDialog {...ofFiles} />}
      {isAsking && secret === undefined && (
        <DiscardDialog onDiscard={onClose} onClose={() => setAsking(false)} />
      )}
      <Dialog title={t('edit.title')} onClose={close}>
        {secret === undefined ? (
          <EditForm {...{ edit, focused }} shortCode={link.shortCode} onPart={setPart} onCancel={close} />
        ) : (
          <SavedSecret
            shortCode={link.shortCode}
            secret={secret}
            onCopied={() => setCopied(true)}
            onClose={close}
          />
        )}
      </Dialog>
    </RequestWords>
  );
}

/** Asks before changes are dropped. */
function DiscardDialog({ onDiscard, onClose }: { onDiscard(): void; onClose(): void }) {
  const { t } = useI18n();
  return (
    <ConfirmDialog
      title={t('edit.discardTitle')}
      action={t('edit.discard')}
      keep={t('edit.keepEditing')}
      onConfirm={onDiscard}
      onClose={onClose}
    >
      <p>{t('edit.discardWarning')}</p>
    </ConfirmDialog>
  );
}

/** A part of a link that has a dialog of its own. */
type Part = 'CODE' | 'FILE' | 'FILES';
type FormProps = {
  shortCode: string;
  edit: ReturnType<typeof useEdit>;
  focused: Props['focused'];
  onPart(part: Part): void;
  onCancel(): void;
};

function EditForm({ shortCode, edit, focused, onPart, onCancel }: FormProps) {
  const { t } = useI18n();
  const { link, draft, error, setError, conflict, isSaving, change, save } = edit;
  const form = useRef<HTMLFormElement>(null);
  useFocusOn(error, form);
  const isLoaded = draft !== undefined;
  useEffect(() => {
    if (isLoaded && focused) form.current?.querySelector<HTMLElement>(`[name=${focused}]`)?.focus();
  }, [isLoaded]);
  const submit = (): void => {
    const incomplete = form.current && findIncompleteDate(form.current);
    if (incomplete) setError({ field: incomplete, text: t('expiry.missing') });
    else void save();
  };
  return (
    <form
      ref={form}
      class="column edit-form"
      noValidate
      aria-label={`${t('edit.title')}: ${shortCode}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p class="actions soft">
        <code>{shortCode}</code>
        {link && (
          <button type="button" class="button" onClick={() => onPart('CODE')}>
            {t('code.change')}
          </button>
        )}
        {link?.type === 'DOWNLOAD' && !(link.file?.fileCount && hasFiles(link)) && (
          <button type="button" class="button" onClick={() => onPart('FILE')}>
            {t('file.replace')}
          </button>
        )}
        {link && hasFiles(link) && (
          <button type="button" class="button" onClick={() => onPart('FILES')}>
            {t('files.change')}
          </button>
        )}
      </p>
      {conflict && <ConflictNote conflict={conflict} />}
      {!draft && !error && <p role="status">{t('edit.loading')}</p>}
      {link && draft && (
        <fieldset class="bare column edit-fields" disabled={isSaving}>
          <EditFields link={link} draft={draft} error={error} onChange={change} />
        </fieldset>
      )}
      {error && !error.field && <FormAlert error={error} />}
      <DialogButtons action={draft && t(conflict ? 'edit.saveAgain' : 'edit.save')} onClose={onCancel} />
    </form>
  );
}

type SecretProps = { shortCode: string; secret: string; onCopied(): void; onClose(): void };

/** Shows the secret of a webhook that was just saved. */
function SavedSecret({ shortCode, secret, onCopied, onClose }: SecretProps) {
  const { t } = useI18n();
  const closeButton = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => closeButton.current?.focus(), []);
  return (
    <>
      <p role="status">{t('edit.saved', { code: shortCode })}</p>
      <WebhookSecret secret={secret} onCopied={onCopied} />
      <div class="actions dialog-actions">
        <button ref={closeButton} type="button" class="button button-main" onClick={onClose}>
          {t('dialog.close')}
        </button>
      </div>
    </>
  );
}

/** Moves the focus to the field that an error concerns, else to the error. */
function useFocusOn(error: FormError | undefined, form: { current: HTMLFormElement | null }): void {
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid], .form-error')?.focus();
  }, [error]);
}

/** Returns the name of a date that was entered in part only, whose value the browser gives as empty. */
function findIncompleteDate(form: HTMLFormElement): 'startsAt' | 'expiresAt' | undefined {
  return (['startsAt', 'expiresAt'] as const).find((name) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement && field.validity.badInput;
  });
}
