import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DICE } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { Icon } from '../shell/icon.tsx';
import { ShowButton } from '../shell/show-button.tsx';
import { Labelled } from './field.tsx';
import { errorAttributes, FieldError, type FormError } from './form-error.tsx';
import { estimateStrength, generatePassword, type Strength } from './password.ts';

const STRENGTH_TEXTS = {
  WEAK: 'password.weak',
  FAIR: 'password.fair',
  STRONG: 'password.strong',
} as const satisfies Record<Strength, MessageKey>;

type InputProps = {
  password: string;
  /** The name of an input without a label. */
  label?: string;
  placeholder: string;
  isVisible: boolean;
  isRequired?: boolean;
  error: FormError | undefined;
  onChange(password: string): void;
};

/** The input of a new password, without its error. */
export function PasswordInput(props: InputProps) {
  const { password, label, placeholder, isVisible, isRequired = false, error, onChange } = props;
  return (
    <input
      id="password"
      name="password"
      {...(isVisible ? { type: 'text' as const } : { type: 'password' as const })}
      aria-label={label}
      autoComplete="new-password"
      autoCapitalize="off"
      spellcheck={false}
      required={isRequired}
      placeholder={placeholder}
      value={password}
      onInput={({ currentTarget: { value } }) => onChange(value)}
      {...errorAttributes('password-error', error)}
    />
  );
}

export function PasswordError({ error }: { error: FormError | undefined }) {
  return <FieldError id="password-error" error={error} />;
}

type Props = Pick<InputProps, 'password' | 'error' | 'onChange'> & {
  note?: ComponentChildren;
  isRequired: boolean;
};

/** A field for a new password, with a generator and a strength meter. */
export function PasswordField({ password, note, isRequired, error, onChange }: Props) {
  const { t } = useI18n();
  const [isVisible, setVisible] = useState(false);
  const generate = (): void => {
    onChange(generatePassword());
    setVisible(true);
  };
  const placeholder = t(isRequired ? 'password.required' : 'password.none');
  return (
    <Labelled name="password" label={t('password')} isBeside>
      <div class="actions">
        <span class="password-input">
          <PasswordInput {...{ password, placeholder, isRequired, isVisible, error, onChange }} />
          <ShowButton isVisible={isVisible} onChange={setVisible} />
        </span>
        <button type="button" class="button" onClick={generate}>
          <Icon path={DICE} />
          {t('password.generate')}
        </button>
      </div>
      {note}
      <StrengthMeter password={password} />
      <PasswordError error={error} />
    </Labelled>
  );
}

function StrengthMeter({ password }: { password: string }) {
  const { t } = useI18n();
  const strength = password === '' ? undefined : estimateStrength(password);
  return (
    <p class="row soft small strength" role="status" data-strength={strength}>
      {strength && t(STRENGTH_TEXTS[strength])}
    </p>
  );
}
