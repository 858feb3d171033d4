import { useI18n } from '../i18n/i18n.tsx';
import { errorAttributes, FieldError, type FormError } from './form-error.tsx';

type Props = {
  name: string;
  type: 'email' | 'url' | 'text' | 'datetime-local' | 'lines';
  label: string;
  hint?: string;
  value: string;
  error: FormError | undefined;
  onInput(value: string): void;
};

/** A field of the options: its label next to it, and its hint and its error below. */
export function OptionField({ name, type, label, hint, value, error, onInput }: Props) {
  const { t } = useI18n();
  const hintId = hint === undefined ? undefined : `${name}-hint`;
  const errorId = `${name}-error`;
  const common = {
    id: name,
    name,
    value,
    class: 'option-wide',
    autoComplete: type === 'email' ? 'email' : 'off',
    placeholder: t('password.none'),
    'aria-describedby': hintId,
    ...errorAttributes([errorId, hintId].filter(Boolean).join(' '), error),
  };
  return (
    <div class="option">
      <label class="option-label" for={name}>
        {label}
      </label>
      <div class="option-body">
        {type === 'lines' ? (
          <textarea {...common} rows={2} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
        ) : (
          <input
            {...common}
            {...inputType(type)}
            {...(type !== 'text' && { autoCapitalize: 'off', spellcheck: false })}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
        )}
        {hint !== undefined && (
          <small id={hintId} class="option-hint soft">
            {hint}
          </small>
        )}
        <FieldError id={errorId} error={error} />
      </div>
    </div>
  );
}

/** The types of attributes differ by the type of the field, so each is a constant. */
function inputType(type: 'email' | 'url' | 'text' | 'datetime-local') {
  switch (type) {
    case 'email':
      return { type: 'email' } as const;
    case 'url':
      return { type: 'url' } as const;
    case 'text':
      return { type: 'text' } as const;
    case 'datetime-local':
      return { type: 'datetime-local', max: '9999-12-31T23:59' } as const;
  }
}
