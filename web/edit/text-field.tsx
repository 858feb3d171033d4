import { errorAttributes, FieldError, type FormError } from '../create/form-error.tsx';

type Props = {
  /** Unique on the page. */
  id: string;
  label: string;
  hint?: string | undefined;
  value: string;
  error?: FormError | undefined;
  kind?: 'text' | 'url' | 'email' | 'numeric' | 'datetime-local' | 'lines';
  placeholder?: string | undefined;
  onInput(value: string): void;
};

/** A field with its label above, and its hint and its error below. */
export function TextField({ id, label, hint, error, ...field }: Props) {
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const described = error ? errorAttributes(`${id}-error ${hintId ?? ''}`.trim(), error) : {};
  return (
    <div class="text-field">
      <label for={id}>{label}</label>
      <Control id={id} {...field} attributes={{ 'aria-describedby': hintId, ...described }} />
      {hint !== undefined && (
        <small id={hintId} class="soft">
          {hint}
        </small>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

type ControlProps = Pick<Props, 'id' | 'value' | 'kind' | 'placeholder' | 'onInput'> & {
  attributes: { 'aria-describedby'?: string | undefined; 'aria-invalid'?: boolean };
};

function Control({ id, value, kind = 'text', placeholder, onInput, attributes }: ControlProps) {
  const common = { id, name: id, value, placeholder, ...attributes };
  if (kind === 'lines') {
    return <textarea {...common} rows={3} onInput={({ currentTarget }) => onInput(currentTarget.value)} />;
  }
  if (kind === 'datetime-local') {
    return (
      <input
        {...common}
        type="datetime-local"
        max="9999-12-31T23:59"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...common}
      type="text"
      inputMode={kind}
      autoComplete="off"
      autoCapitalize={kind === 'url' || kind === 'email' ? 'off' : undefined}
      spellcheck={kind === 'text'}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
