import { useRef, useState } from 'preact/hooks';
import { Field } from '../../form/field.tsx';
import { FormDialog, useSend } from '../../form/form-dialog.tsx';
import { UploadProgress } from '../../form/upload-progress.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import type { LinkDescription } from '../../service/contract.ts';
import { changeShortCode, historyPageUrl, type LinkReference } from '../../service/links.ts';
import { loadSavedLinks, saveLink, saveLinkToken } from '../../service/saved-links.ts';
import { WebhookSecret } from '../../shell/copy-button.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import { useSession } from '../../shell/session.tsx';
import { useUpload } from './files-dialog.tsx';

type Props = { link: LinkReference; onClose(): void };

/** Changes the short code of a link, then opens the page of the link that continues it. */
export function CodeDialog({ link, onClose }: Props) {
  const { t } = useI18n();
  const { settings } = useSession();
  const [code, setCode] = useState('');
  const { form, setError, send } = useSend();
  const fieldError = form.error?.field ? form.error : undefined;
  const [saved, setSaved] = useState<{ url: string; secret: string }>();
  const change = async (): Promise<void> => {
    const changed = await send(changeShortCode(link, code.trim()));
    if (!changed) return;
    const { shortCode, accessUrl } = changed.link;
    const former = loadSavedLinks().find((each) => each.shortCode === link.shortCode);
    if (former) saveLink({ ...former, shortCode, accessUrl });
    else if (link.token !== undefined) saveLinkToken(shortCode, link.token);
    const url = historyPageUrl(shortCode);
    const { webhookSecret: secret } = changed;
    if (secret === null) location.assign(url);
    else setSaved({ url, secret });
  };
  if (saved) return <NewSecret {...saved} />;
  return (
    <FormDialog
      title={t('code.change')}
      action={t('code.change')}
      isDangerous
      isPending={form.isPending}
      error={fieldError ? undefined : form.error}
      onSubmit={() => void change()}
      onClose={onClose}
    >
      <p>{t('code.hint')}</p>
      {settings?.links.customCodes !== false && (
        <Field
          name="newCode"
          label={t('code.new')}
          hint={t('code.random')}
          value={code}
          error={fieldError}
          onInput={(text) => {
            setCode(text);
            setError(undefined);
          }}
        />
      )}
    </FormDialog>
  );
}

/** Shows the new secret of the webhook, before the page of the link opens. */
function NewSecret({ url, secret }: { url: string; secret: string }) {
  const { t } = useI18n();
  return (
    <Dialog title={t('code.change')} onClose={() => location.assign(url)}>
      <WebhookSecret secret={secret} />
      <div class="actions dialog-actions">
        <a class="button button-main" href={url}>
          {t('history.title')}
        </a>
      </div>
    </Dialog>
  );
}

/** Replaces the file of a link. */
export function FileDialog(props: Props & { onSaved(link: LinkDescription): void }) {
  const { t } = useI18n();
  const input = useRef<HTMLInputElement>(null);
  const { error, setError, upload, progress, replace, close } = useUpload(props);
  const save = async (): Promise<void> => {
    const file = input.current?.files?.[0];
    if (!file) return setError({ field: 'file', text: t('error.fileMissing') });
    await replace([file]);
  };
  return (
    <FormDialog
      title={t('file.replace')}
      action={upload ? undefined : t('file.replace')}
      error={error}
      onSubmit={() => void save()}
      onClose={close}
    >
      <p>{t('file.hint')}</p>
      <p>
        <input ref={input} type="file" aria-label={t('file.new')} disabled={upload !== undefined} />
      </p>
      {progress && upload && <UploadProgress progress={progress} cancel={upload.cancel} />}
    </FormDialog>
  );
}
