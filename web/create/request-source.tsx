import { useEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { CreateTexts, useCreateTexts } from './create-texts.ts';
import type { Draft, RequestSource as Source } from './draft.ts';
import { mayTakeFocus } from './take-focus.ts';
import './files.css';
import { Labelled } from '../form/field.tsx';
import { errorAttributes, FieldError, type FormError } from '../form/form-error.tsx';

type Props = {
  source: Source;
  error: FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

/** The files that a new link asks visitors for, in place of a URL. */
export function RequestSource(props: Props) {
  return (
    <CreateTexts>
      <RequestFields {...props} />
    </CreateTexts>
  );
}

function RequestFields({ source, error, onChange }: Props) {
  const { t } = useI18n();
  const texts = useCreateTexts();
  const change = (changed: Partial<Source>): void => onChange({ source: { ...source, ...changed } });
  const errorOf = (field: FormError['field'], text = error?.text ?? ''): FormError | undefined =>
    error?.field === field ? { ...error, text } : undefined;
  const isBlank = source.text.trim() === '';
  const messageError = errorOf('message', isBlank ? t('request.messageMissing') : undefined);
  const filesError = errorOf('maxFiles', t('request.limitInvalid'));
  const bytesError = errorOf('maxBytes', t('request.limitInvalid'));
  return (
    <>
      <Labelled name="message" label={t('request.write')} isBeside>
        <MessageInput text={source.text} error={messageError} onInput={(text) => change({ text })} />
      </Labelled>
      <fieldset class="option">
        <legend>{texts('request.limits')}</legend>
        <div class="option-body">
          <div class="row request-limits">
            <LimitInput
              name="maxFiles"
              label={t('request.maxFiles')}
              unit={texts('request.unitFiles')}
              value={source.maxFiles}
              error={filesError}
              onInput={(maxFiles) => change({ maxFiles })}
            />
            <LimitInput
              name="maxBytes"
              label={t('request.limitMegabytes')}
              unit={texts('request.unitMegabytes')}
              value={source.maxMegabytes}
              error={bytesError}
              onInput={(maxMegabytes) => change({ maxMegabytes })}
            />
          </div>
          <FieldError id={LIMIT_ERROR} error={filesError ?? bytesError} />
        </div>
      </fieldset>
    </>
  );
}

const LIMIT_ERROR = 'limits-error';

type LimitProps = {
  name: string;
  /** Names the field for screen readers: the unit beside it is a part of it. */
  label: string;
  unit: string;
  value: string;
  error: FormError | undefined;
  onInput(value: string): void;
};

function LimitInput({ name, label, unit, value, error, onInput }: LimitProps) {
  const { t } = useI18n();
  return (
    <label class="times">
      <input
        type="text"
        id={name}
        name={name}
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        placeholder={t('views.unlimited')}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        {...errorAttributes(LIMIT_ERROR, error)}
      />
      {unit}
    </label>
  );
}

type MessageProps = { text: string; error: FormError | undefined; onInput(text: string): void };

function MessageInput({ text, error, onInput }: MessageProps) {
  const texts = useCreateTexts();
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
        rows={2}
        placeholder={texts('request.example')}
        value={text}
        onInput={({ currentTarget: { value } }) => onInput(value)}
        {...errorAttributes('source-error', error)}
      />
      <FieldError id="source-error" error={error} />
    </>
  );
}
