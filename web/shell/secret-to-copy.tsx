import { useI18n } from '../i18n/i18n.tsx';
import { CopyButton } from './copy-button.tsx';
import { DiscardDialog } from './discard-dialog.tsx';

type Props = { name: string; secret: string; copyLabel: string; note: string; onCopied?: () => void };

/** A text that the service shows only once. */
export function SecretToCopy({ name, secret, copyLabel, note, onCopied }: Props) {
  return (
    <div class="secret-to-copy">
      <p>
        <small class="soft">{name}</small>
        <br />
        <code>{secret}</code>
      </p>
      <CopyButton text={secret} label={copyLabel} kind="quiet" onCopied={onCopied} />
      <small class="soft">{note}</small>
    </div>
  );
}

type SecretDialogProps = { onKeep(): void; onDiscard(): void };

/** Asks whether a secret that was not copied may be dropped. */
export function SecretDialog(props: SecretDialogProps) {
  const { t } = useI18n();
  return (
    <DiscardDialog
      title={t('secret.title')}
      warning={t('secret.warning')}
      discard={t('secret.discard')}
      {...props}
    />
  );
}
