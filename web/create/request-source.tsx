import { useEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Draft, RequestSource as Source } from './draft.ts';
import { mayTakeFocus } from './take-focus.ts';
import './files.css';
import { Field } from '../form/field.tsx';
import { errorAttributes, FieldError, type FormError } from '../form/form-error.tsx';

type Props = {
  source: Source;
  error: FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

/** The files that a new link asks visitors for, in place of a URL. */
export function RequestSource({ source, error, onChange }: Props) {
  const { t } = useI18n();
  const change = (changed: Partial<Source>): void => onChange({ source: { ...source, ...changed } });
  const errorOf = (field: FormError['field'], text = error?.text ?? ''): FormError | undefined =>
    error?.field === field ? { ...error, text } : undefined;
  const isBlank = source.text.trim() === '';
  const messageError = errorOf('message', isBlank ? t('request.messageMissing') : undefined);
  const limit = { kind: 'numeric' as const, placeholder: t('views.unlimited') };
  return (
    <>
      <label class="source-label" for="message">
        {t('request.write')}
      </label>
      <MessageInput text={source.text} error={messageError} onInput={(text) => change({ text })} />
      <div class="request-limits">
        <Field
          {...limit}
          name="maxFiles"
          label={t('request.maxFiles')}
          value={source.maxFiles}
          error={errorOf('maxFiles', t('request.limitInvalid'))}
          onInput={(maxFiles) => change({ maxFiles })}
        />
        <Field
          {...limit}
          name="maxBytes"
          label={t('request.limitMegabytes')}
          value={source.maxMegabytes}
          error={errorOf('maxBytes', t('request.limitInvalid'))}
          onInput={(maxMegabytes) => change({ maxMegabytes })}
        />
      </div>
    </>
  );
}

type MessageProps = { text: string; error: FormError | undefined; onInput(text: string): void };

function MessageInput({ text, error, onInput }: MessageProps) {
  const { t } = useI18n();
  const message = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (mayTakeFocus()) message.current?.focus();
  }, []);
  return (
    <>
      <textarea
        ref={message}
        id="message"
        name="message"
        class="option-wide"
        rows={3}
        placeholder={t('request.example')}
        value={text}
        onInput={({ currentTarget: { value } }) => onInput(value)}
        {...errorAttributes('source-error', error)}
      />
      <FieldError id="source-error" error={error} />
    </>
  );
}
