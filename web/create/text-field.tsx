import { useI18n } from '../i18n/i18n.tsx';
import { errorAttributes, FieldError, type FormError } from './form-error.tsx';

type Props = {
  /** Unique on the page. */
  name: string;
  kind?: keyof typeof INPUTS | 'lines';
  label: string;
  hint?: string | undefined;
  value: string;
  placeholder?: string;
  error: FormError | undefined;
  onInput(value: string): void;
};

const INPUTS = {
  text: { type: 'text', spellcheck: true },
  numeric: { type: 'text', inputMode: 'numeric', spellcheck: false },
  url: { type: 'url', autoCapitalize: 'off', spellcheck: false },
  email: { type: 'email', autoCapitalize: 'off', spellcheck: false },
  'datetime-local': { type: 'datetime-local', max: '9999-12-31T23:59' },
} as const;

/** A field with its label above. */
export function TextField({ label, ...field }: Props) {
  return (
    <div class="text-field">
      <label for={field.name}>{label}</label>
      <Control {...field} />
    </div>
  );
}

/** A field of the options, with its label next to it. */
export function OptionField({ label, ...field }: Props) {
  const { t } = useI18n();
  return (
    <div class="option">
      <label class="option-label" for={field.name}>
        {label}
      </label>
      <div class="option-body">
        <Control {...field} placeholder={t('password.none')} />
      </div>
    </div>
  );
}

type ControlProps = Omit<Props, 'label'>;

/** The control of a field, with its hint and its error below. */
function Control({ name, kind = 'text', hint, value, error, placeholder, onInput }: ControlProps) {
  const hintId = hint === undefined ? undefined : `${name}-hint`;
  const errorId = `${name}-error`;
  const common = {
    id: name,
    name,
    value,
    placeholder,
    class: 'option-wide',
    autoComplete: kind === 'email' ? 'email' : 'off',
    'aria-describedby': hintId,
    ...errorAttributes([errorId, hintId].filter(Boolean).join(' '), error),
  };
  return (
    <>
      {kind === 'lines' ? (
        <textarea {...common} rows={2} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      ) : (
        <input {...common} {...INPUTS[kind]} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      )}
      {hint !== undefined && (
        <small id={hintId} class="option-hint soft">
          {hint}
        </small>
      )}
      <FieldError id={errorId} error={error} />
    </>
  );
}
