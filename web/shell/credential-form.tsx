import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ShowButton } from './show-button.tsx';

/** A field for a credential, or for the name that belongs to one, by which password managers know it. */
type Field = {
  id: string;
  label: string;
  hint?: string;
  autoComplete?: 'off' | 'username' | 'current-password' | 'new-password';
};

/** What is wrong, with the id of the field in which to mend it. */
export type CredentialError = { text: string; field: string };

/** The entered texts by the id of their field, without white space around them. */
export type Entered = Record<string, string>;

type Props = {
  title: string;
  fields: Field[];
  button: string;
  /** The error of empty fields. */
  missing: string;
  footer?: ComponentChildren;
  /** Tries what was entered, and returns what is wrong with it: a text alone is about the first secret. */
  onSend(entered: Entered): Promise<CredentialError | string | undefined>;
  children?: ComponentChildren;
  /** The contents between the fields and the button. */
  options?: ComponentChildren;
  /** Another way, after the button. */
  alternative?: { label: string; onChoose(): void };
  /** True for a form that is not the subject of its page, which does not take the focus at once. */
  isPart?: boolean;
};

/** A form for credentials, whose first field takes the focus; after an error, the one to mend, whose text is selected. */
export function CredentialForm({ title, fields, button, missing, footer, onSend, ...props }: Props) {
  const [entered, setEntered] = useState<Entered>({});
  const [error, setError] = useState<CredentialError>();
  const [isPending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const Heading = props.isPart ? 'h2' : 'h1';
  const titleId = `${fields[0]?.id}-title`;
  const errorId = `${fields[0]?.id}-error`;
  const first = props.isPart ? undefined : fields[0]?.id;
  useEffect(() => selectField(form.current, error?.field ?? first), [error]);

  const secret = fields.find(isSecretField);

  async function send(): Promise<void> {
    setPending(true);
    const values = Object.fromEntries(fields.map(({ id }) => [id, (entered[id] ?? '').trim()]));
    const empty = fields.find(({ id }) => values[id] === '');
    const found = empty ? { text: missing, field: empty.id } : await onSend(values);
    if (found) setError(typeof found === 'string' ? { text: found, field: secret?.id ?? '' } : found);
    setPending(false);
  }

  return (
    <form
      ref={form}
      class="card column card-wide sign-in"
      noValidate
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void send();
      }}
    >
      <Heading id={titleId}>{title}</Heading>
      {props.children}
      {fields.map((field, index) => (
        <CredentialField
          key={field.id}
          {...field}
          value={entered[field.id] ?? ''}
          error={error?.text}
          errorId={errorId}
          hasErrorBelow={index === fields.length - 1}
          onInput={(value) => setEntered((former) => ({ ...former, [field.id]: value }))}
        />
      ))}
      {props.options}
      <button type="submit" class="button button-main">
        {button}
      </button>
      {props.alternative && (
        <button type="button" class="button button-quiet" onClick={props.alternative.onChoose}>
          {props.alternative.label}
        </button>
      )}
      {footer !== undefined && <p class="soft small">{footer}</p>}
    </form>
  );
}

const isSecretField = ({ autoComplete }: Pick<Field, 'autoComplete'>): boolean => autoComplete !== 'username';

/** Moves the focus to a field, and selects its text. */
function selectField(form: HTMLFormElement | null, id: string | undefined): void {
  const input = id === undefined ? null : form?.querySelector<HTMLInputElement>(`#${id}`);
  input?.focus();
  input?.select();
}

type FieldProps = Field & {
  value: string;
  /** Of the form, which is below the last field. */
  error: string | undefined;
  errorId: string;
  hasErrorBelow: boolean;
  onInput(value: string): void;
};

function CredentialField({ id, label, hint, autoComplete = 'off', value, ...props }: FieldProps) {
  const { error, errorId, hasErrorBelow, onInput } = props;
  const [isVisible, setVisible] = useState(false);
  const isSecret = isSecretField({ autoComplete });
  return (
    <div>
      <label id={`${id}-label`} for={id}>
        {label}
      </label>
      <span class={isSecret ? 'password-input' : undefined}>
        <input
          {...(isSecret && !isVisible ? { type: 'password' as const } : { type: 'text' as const })}
          {...{ id, autoComplete, value }}
          spellcheck={false}
          autoCapitalize="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${hint === undefined ? '' : `${id}-hint `}${errorId}`}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
        {isSecret && <ShowButton isVisible={isVisible} labelId={`${id}-label`} onChange={setVisible} />}
      </span>
      {hasErrorBelow && (
        <p class="field-error" id={errorId} role="alert">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="soft small field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
