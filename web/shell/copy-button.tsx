import { useEffect, useState } from 'preact/hooks';
import { CHECK, COPY } from '../../src/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from './icon.tsx';

const RESULT_SHOWN_MS = 2_500;

type Props = { text: string; label: string; kind: 'main' | 'quiet'; onCopied?: (() => void) | undefined };

/** Copies a text and reports success or failure. `label` names the text for screen readers. */
export function CopyButton({ text, label, kind, onCopied }: Props) {
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
        aria-label={label}
        onClick={async () => {
          const isCopied = await copy(text);
          setResult(isCopied ? 'COPIED' : 'FAILED');
          if (isCopied) onCopied?.();
        }}
      >
        <Icon path={result === 'COPIED' ? CHECK : COPY} />
        {result === 'COPIED' ? t('copy.done') : t('copy')}
      </button>
      <span class={result === 'FAILED' ? 'field-error' : 'visually-hidden'} role="status">
        {result === 'COPIED' && t('copy.done')}
        {result === 'FAILED' && t('copy.failed')}
      </span>
    </>
  );
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Browsers offer no clipboard API over plain HTTP, except on localhost. */
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
