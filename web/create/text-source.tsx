import { useEffect, useRef, useState } from 'preact/hooks';
import { Check } from '../shell/choice.tsx';
import { ShowButton } from '../shell/show-button.tsx';
import { CreateTexts, useCreateTexts } from './create-texts.ts';
import type { Draft, TextSource as Source } from './draft.ts';
import './files.css';
import { Labelled } from '../form/field.tsx';
import { errorAttributes, FieldError, type FormError } from '../form/form-error.tsx';
import { mayTakeFocus } from './take-focus.ts';

type Props = {
  source: Source;
  error: FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

/** A text or a secret in place of a URL. */
export function TextSource(props: Props) {
  return (
    <CreateTexts>
      <TextFields {...props} />
    </CreateTexts>
  );
}

function TextFields({ source, error, onChange }: Props) {
  const t = useCreateTexts();
  const change = (changed: Partial<Source>): void => onChange({ source: { ...source, ...changed } });
  return (
    <Labelled name="text" label={t('text.label')} isBeside>
      <TextInput key={source.isOneLine} source={source} error={error} onInput={(text) => change({ text })} />
      <FieldError id="source-error" error={error} />
      <Check
        label={t('text.oneLine')}
        hint={t('text.oneLineHint')}
        isChecked={source.isOneLine}
        isDisabled={/\n/.test(source.text)}
        onCheck={(isOneLine) => change({ isOneLine })}
      />
    </Labelled>
  );
}

function TextInput(props: { source: Source; error: FormError | undefined; onInput(text: string): void }) {
  const { text, isOneLine } = props.source;
  const [isVisible, setVisible] = useState(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    if (mayTakeFocus()) field.current?.focus();
  }, []);
  const common = {
    ref: field,
    id: 'text',
    name: 'text',
    autoComplete: 'off',
    autoCapitalize: 'off' as const,
    spellcheck: false,
    value: text,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => props.onInput(currentTarget.value),
    ...errorAttributes('source-error', props.error),
  };
  if (!isOneLine) return <textarea {...common} class="option-wide" rows={3} />;
  return (
    <span class="password-input">
      <input {...common} {...(isVisible ? { type: 'text' as const } : { type: 'password' as const })} />
      <ShowButton isVisible={isVisible} onChange={setVisible} />
    </span>
  );
}
