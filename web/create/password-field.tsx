import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DICE } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { Icon } from '../shell/icon.tsx';
import { errorAttributes, FieldError, type FormError } from './form-error.tsx';
import { estimateStrength, generatePassword, type Strength } from './password.ts';
import { ShowButton } from './show-button.tsx';

const STRENGTH_TEXTS = {
  WEAK: 'password.weak',
  FAIR: 'password.fair',
  STRONG: 'password.strong',
} as const satisfies Record<Strength, MessageKey>;

type Props = {
  password: string;
  note?: ComponentChildren;
  isRequired: boolean;
  error: FormError | undefined;
  onChange(password: string): void;
};

/** A field for a new password, with a generator and a strength meter. */
export function PasswordField({ password, note, isRequired, error, onChange }: Props) {
  const { t } = useI18n();
  const [isVisible, setVisible] = useState(false);
  const generate = (): void => {
    onChange(generatePassword());
    setVisible(true);
  };
  return (
    <div class="option">
      <label class="option-label" for="password">
        {t('password')}
      </label>
      <div class="option-body">
        <div class="actions">
          <span class="password-input">
            <PasswordInput {...{ password, isRequired, isVisible, error, onChange }} />
            <ShowButton isVisible={isVisible} onChange={setVisible} />
          </span>
          <button type="button" class="button" onClick={generate}>
            <Icon path={DICE} />
            {t('password.generate')}
          </button>
        </div>
        {note}
        <StrengthMeter password={password} />
        <FieldError id="password-error" error={error} />
      </div>
    </div>
  );
}

function PasswordInput(props: Props & { isVisible: boolean }) {
  const { password, isRequired, isVisible, error, onChange } = props;
  const { t } = useI18n();
  return (
    <input
      id="password"
      name="password"
      {...(isVisible ? { type: 'text' as const } : { type: 'password' as const })}
      autoComplete="new-password"
      autoCapitalize="off"
      spellcheck={false}
      required={isRequired}
      placeholder={t(isRequired ? 'password.required' : 'password.none')}
      value={password}
      onInput={({ currentTarget: { value } }) => onChange(value)}
      {...errorAttributes('password-error', error)}
    />
  );
}

function StrengthMeter({ password }: { password: string }) {
  const { t } = useI18n();
  const strength = password === '' ? undefined : estimateStrength(password);
  return (
    <p class="strength" role="status" data-strength={strength}>
      {strength && t(STRENGTH_TEXTS[strength])}
    </p>
  );
}
