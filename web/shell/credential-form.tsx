import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** An error at the field. `lang` is set on the API's texts. */
export type CredentialError = { text: string; lang?: 'en' };

type Props = {
  title: string;
  label: string;
  hint: string;
  button: string;
  /** The error of an empty field. */
  missing: string;
  footer: string;
  /** Tries a credential, and returns what is wrong with it. */
  onSend(credential: string): Promise<CredentialError | undefined>;
  children?: ComponentChildren;
};

/** A form with one field for an API key or a token, which takes the focus. */
export function CredentialForm({ title, label, hint, button, missing, footer, onSend, children }: Props) {
  const [text, setText] = useState('');
  const [error, setError] = useState<CredentialError>();
  const [isPending, setPending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [error]);

  async function send(): Promise<void> {
    setPending(true);
    const credential = text.trim();
    const found = credential === '' ? { text: missing } : await onSend(credential);
    if (found) setError(found);
    setPending(false);
  }

  return (
    <form
      class="card sign-in"
      noValidate
      aria-labelledby="sign-in-title"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void send();
      }}
    >
      <h1 id="sign-in-title">{title}</h1>
      {children}
      <div>
        <label for="api-key">{label}</label>
        <input
          ref={field}
          id="api-key"
          type="password"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget: { value } }) => setText(value)}
          aria-invalid={error ? true : undefined}
          aria-describedby="api-key-hint api-key-error"
        />
        <p class="field-error" id="api-key-error" role="alert" lang={error?.lang}>
          {error?.text}
        </p>
        <p class="soft small" id="api-key-hint">
          {hint}
        </p>
      </div>
      <button type="submit" class="button button-main">
        {button}
      </button>
      <p class="soft small">{footer}</p>
    </form>
  );
}
