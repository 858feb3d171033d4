import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { DiceIcon } from '../shell/icons.tsx';
import { type Fault, FieldError, faultOf } from './field-error.tsx';
import { estimateStrength, generatePassword, type Strength } from './password.ts';

const HINTS = {
  WEAK: 'password.weak',
  FAIR: 'password.fair',
  STRONG: 'password.strong',
} as const satisfies Record<Strength, MessageKey>;

/** A password to be, with one that the page draws, and a hint how long it withstands. */
export function PasswordField({
  password,
  fault,
  onChange,
}: {
  password: string;
  fault: Fault | undefined;
  onChange(password: string): void;
}) {
  const { t } = useI18n();
  const [isShown, setShown] = useState(false);
  const strength = password === '' ? undefined : estimateStrength(password);

  return (
    <div class="option">
      <label class="option-label" for="password">
        {t('password')}
      </label>
      <div class="option-body">
        <div class="password-row">
          <span class="password-input">
            <input
              id="password"
              name="password"
              {...(isShown ? { type: 'text' as const } : { type: 'password' as const })}
              autoComplete="new-password"
              autoCapitalize="off"
              spellcheck={false}
              placeholder={t('password.none')}
              value={password}
              onInput={({ currentTarget: { value } }) => onChange(value)}
              {...faultOf('password-error', fault)}
            />
            <button
              type="button"
              class="button button-quiet"
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            >
              {t('password.show')}
            </button>
          </span>
          <button
            type="button"
            class="button"
            onClick={() => {
              onChange(generatePassword());
              setShown(true);
            }}
          >
            <DiceIcon />
            {t('password.generate')}
          </button>
        </div>
        <p class="strength" role="status" data-strength={strength}>
          {strength && t(HINTS[strength])}
        </p>
        <FieldError id="password-error" fault={fault} />
      </div>
    </div>
  );
}
