import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import { errorAttributes, FieldError, type FormError } from './form-error.tsx';

type FrameProps = {
  /** The id of the control, unique on the page. */
  name: string;
  label: string;
  /** True to show the label beside the control, as among the options of a new link, and not above it. */
  isBeside?: boolean;
};

type ControlProps = {
  name: string;
  kind?: keyof typeof INPUTS | 'lines' | 'addresses';
  hint?: string | undefined;
  value: string;
  placeholder?: string | undefined;
  error?: FormError | undefined;
  onInput(value: string): void;
};

/** The attributes of the input of each kind. A verbatim text is a name or an address, which the browser must not correct. */
const INPUTS = {
  text: { type: 'text', spellcheck: true },
  verbatim: { type: 'text', autoCapitalize: 'off', spellcheck: false },
  numeric: { type: 'text', inputMode: 'numeric', spellcheck: false },
  url: { type: 'url', autoCapitalize: 'off', spellcheck: false },
  email: { type: 'email', autoCapitalize: 'off', spellcheck: false },
  'datetime-local': { type: 'datetime-local', max: '9999-12-31T23:59' },
} as const;

/** Returns the attributes of a text area for mail addresses: it has a line for each, up to four. */
function toAddressArea(value: string) {
  const rows = Math.min(4, Math.max(1, value.split('@').length - 1));
  return { rows, inputMode: 'email', autoCapitalize: 'off', spellcheck: false } as const;
}

/** A field into which a text is typed, with its label, its hint and its error. */
export function Field({ label, isBeside = false, ...control }: FrameProps & ControlProps) {
  const { t } = useI18n();
  const placeholder = control.placeholder ?? (isBeside ? t('password.none') : undefined);
  return (
    <Labelled name={control.name} label={label} isBeside={isBeside}>
      <Control {...control} placeholder={placeholder} />
    </Labelled>
  );
}

/** A control with its label. */
export function Labelled(props: FrameProps & { children: ComponentChildren }) {
  const { name, label, isBeside = false, children } = props;
  return isBeside ? (
    <div class="option">
      <label class="option-label" for={name}>
        {label}
      </label>
      <div class="option-body">{children}</div>
    </div>
  ) : (
    <div class="text-field">
      <label for={name}>{label}</label>
      {children}
    </div>
  );
}

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
      {kind === 'lines' || kind === 'addresses' ? (
        <textarea
          {...common}
          {...(kind === 'lines' ? { rows: 2 } : toAddressArea(value))}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
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
