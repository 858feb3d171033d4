import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Outcome } from '../service/outcome.ts';

/** One field of a form about a person. `autoComplete` lets password managers fill it in. */
type Field = {
  name: string;
  label: string;
  autoComplete: 'username' | 'current-password' | 'new-password';
  hint?: string;
};

type Props = {
  title: string;
  fields: Field[];
  button: string;
  /** What is wrong, by the code of the service's error. */
  errors: Readonly<Record<string, string>>;
  /** Returns what is wrong before anything is sent. */
  check(values: Record<string, string>): string | undefined;
  send(values: Record<string, string>): Promise<Outcome<unknown>>;
  onDone(): void;
  /** What stands above the fields, between them and the button, and below it. */
  before?: ComponentChildren;
  options?: ComponentChildren;
  children?: ComponentChildren;
  level?: 'h1' | 'h2';
};

/** A form with which a person signs in, or sets a password. The first field takes the focus if the form is the page. */
export function PersonForm({ title, fields, button, errors, check, send, onDone, ...props }: Props) {
  const { t } = useI18n();
  const { level: Heading = 'h1' } = props;
  const [values, setValues] = useState<Record<string, string>>({});
  const [error, setError] = useState<{ text: string; lang?: 'en' }>();
  const [isPending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Heading === 'h1' || error) form.current?.querySelector('input')?.focus();
  }, [error]);

  async function submit(): Promise<void> {
    setPending(true);
    const wrong = check(values);
    const outcome = wrong === undefined ? await send(values) : undefined;
    setPending(false);
    if (wrong !== undefined) setError({ text: wrong });
    else if (outcome?.kind === 'DONE') onDone();
    else if (outcome?.kind === 'REFUSED') {
      const known = errors[outcome.code ?? ''];
      setError(known === undefined ? { text: outcome.text, lang: 'en' } : { text: known });
    } else setError({ text: t('error.unreachable') });
  }

  return (
    <form
      ref={form}
      class="card sign-in"
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void submit();
      }}
    >
      <Heading>{title}</Heading>
      {props.before}
      {fields.map(({ name, label, autoComplete, hint }) => (
        <div key={name}>
          <label for={`person-${name}`}>{label}</label>
          <input
            id={`person-${name}`}
            name={name}
            {...(autoComplete === 'username' ? {} : { type: 'password' })}
            autoComplete={autoComplete}
            autoCapitalize="off"
            spellcheck={false}
            value={values[name] ?? ''}
            onInput={({ currentTarget: { value } }) => setValues((former) => ({ ...former, [name]: value }))}
            aria-invalid={error ? true : undefined}
            aria-describedby={`person-error${hint === undefined ? '' : ` person-${name}-hint`}`}
          />
          {hint !== undefined && (
            <p class="soft small field-hint" id={`person-${name}-hint`}>
              {hint}
            </p>
          )}
        </div>
      ))}
      {props.options}
      <p class="form-error" id="person-error" role="alert" lang={error?.lang}>
        {error?.text}
      </p>
      <button type="submit" class="button button-main">
        {button}
      </button>
      {props.children}
    </form>
  );
}
