import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CHECK, COPY } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Breakable } from './breakable.tsx';
import { ConfirmDialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

const RESULT_SHOWN_MS = 2_500;

type Props = {
  text: string;
  label: string;
  isLabelShown?: boolean;
  /** The text that it shows instead. */
  shown?: string | undefined;
  kind: 'main' | 'quiet';
  onCopied?: (() => void) | undefined;
};

/** Copies a text and reports success or failure. `label` names the text for screen readers. */
export function CopyButton({ text, label, isLabelShown = false, shown, kind, onCopied }: Props) {
  const { t } = useI18n();
  const [result, setResult] = useState<'COPIED' | 'FAILED'>();
  useEffect(() => {
    if (!result) return undefined;
    const timer = setTimeout(() => setResult(undefined), RESULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);

  return (
    <>
      <button
        type="button"
        class={`button button-${kind}`}
        // Without one, the name is what the button shows, so that speech commands find it.
        aria-label={result === 'COPIED' ? undefined : label}
        onClick={async () => {
          const isCopied = await copy(text);
          setResult(isCopied ? 'COPIED' : 'FAILED');
          if (isCopied) onCopied?.();
        }}
      >
        <Icon path={result === 'COPIED' ? CHECK : COPY} />
        {result === 'COPIED' ? t('copy.done') : (shown ?? (isLabelShown ? label : t('copy')))}
      </button>
      <span class={result === 'FAILED' ? 'field-error' : 'visually-hidden'} role="status">
        {result === 'COPIED' && t('copy.done')}
        {result === 'FAILED' && t('copy.failed')}
      </span>
    </>
  );
}

/** Copies a text. Returns false where the browser does not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies without the clipboard API, which browsers do not offer over plain HTTP, except on localhost. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  const focused = document.activeElement;
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

type SecretProps = {
  /** What it is, where no heading says it. */
  name?: string;
  secret: string;
  copyLabel: string;
  note: string;
  /** The text with which it is sent to a person, which has it. */
  message?: string | undefined;
  /** The weight of the button. */
  kind?: 'main' | 'quiet';
  onCopied?: () => void;
  /** Another way to send it. */
  children?: ComponentChildren;
};

/** A text that the service shows only once. */
export function SecretToCopy({ name, secret, copyLabel, note, message, ...props }: SecretProps) {
  const { t } = useI18n();
  const { kind = 'quiet', onCopied } = props;
  return (
    <div class="row spread secret-to-copy">
      <p onCopy={onCopied}>
        {name !== undefined && (
          <>
            <small class="soft">{name}</small>
            <br />
          </>
        )}
        <code>
          <Breakable text={secret} />
        </code>
      </p>
      <div class="actions">
        <CopyButton text={secret} label={copyLabel} isLabelShown kind={kind} onCopied={onCopied} />
        {message !== undefined && (
          <CopyButton
            text={message}
            label={t('message.copy')}
            isLabelShown
            kind="quiet"
            onCopied={onCopied}
          />
        )}
        {props.children}
      </div>
      <small class="soft">{note}</small>
    </div>
  );
}

type WebhookSecretProps = Pick<SecretProps, 'secret' | 'onCopied'>;

/** The secret of the webhook of a link, which no later response repeats. */
export function WebhookSecret(props: WebhookSecretProps) {
  const { t } = useI18n();
  const texts = { name: t('result.secret'), copyLabel: t('copy.secret'), note: t('result.secretOnce') };
  return <SecretToCopy {...texts} {...props} />;
}

type SecretDialogProps = { onDiscard(): void; onClose(): void };

/** Asks whether a secret that was not copied may be dropped. */
export function SecretDialog({ onDiscard, onClose }: SecretDialogProps) {
  const { t } = useI18n();
  return (
    <ConfirmDialog
      title={t('secret.title')}
      action={t('secret.discard')}
      onConfirm={onDiscard}
      onClose={onClose}
    >
      <p>{t('secret.warning')}</p>
    </ConfirmDialog>
  );
}
