import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Outcome } from '../service/outcome.ts';
import { SecretDialog, SecretToCopy } from '../shell/copy-button.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { failureText } from '../shell/error-texts.ts';

/**
 * Sends what a dialog asks for. Holds the error, and whether a request is pending.
 *
 * @param name that the user has typed, if the dialog asks for one
 */
export function useSend(name?: string) {
  const i18n = useI18n();
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  /** Returns the response, or undefined after an error. */
  async function send<Value>(request: Promise<Outcome<Value>>): Promise<Value | undefined> {
    setPending(true);
    setError(undefined);
    const outcome = await request;
    setPending(false);
    if (outcome.kind === 'DONE') return outcome.value;
    const isEmpty = outcome.kind === 'REFUSED' && outcome.code === 'INVALID_NAME' && name?.trim() === '';
    setError(isEmpty ? i18n.t('people.nameMissing') : failureText(outcome, i18n));
    return undefined;
  }
  return { form: { error, isPending }, setError, send };
}

type Props = {
  title: string;
  /** Without one, the user can only close the dialog. */
  action?: string | undefined;
  isDangerous?: boolean;
  isPending: boolean;
  error: string | undefined;
  onSubmit(): void;
  onClose(): void;
  children: ComponentChildren;
};

/** Scrolls to an error, which a phone would otherwise keep below the fields. */
const showError = (error: HTMLElement | null): void => error?.scrollIntoView({ block: 'center' });

/** A dialog with a form, which Enter sends. */
export function FormDialog({ title, action, isDangerous = false, isPending, error, ...props }: Props) {
  const { t } = useI18n();
  return (
    <Dialog title={title} onClose={props.onClose}>
      <form
        class="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && action !== undefined) props.onSubmit();
        }}
      >
        {props.children}
        {error && (
          <p class="form-error" role="alert" ref={showError}>
            {error}
          </p>
        )}
        <div class="actions dialog-actions">
          <button type="button" class="button" onClick={props.onClose}>
            {t(action === undefined ? 'dialog.close' : 'cancel')}
          </button>
          {action !== undefined && (
            <button type="submit" class={`button button-${isDangerous ? 'danger' : 'main'}`}>
              {action}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

type FieldProps = {
  /** Unique on the page. */
  id: string;
  label: string;
  hint?: string;
  value: string;
  onInput(value: string): void;
};

/** A field with its label above, and its hint below. */
export function Field({ id, label, hint, value, onInput }: FieldProps) {
  return (
    <div class="text-field">
      <label for={id}>{label}</label>
      <input
        {...{ id, value, autoComplete: 'off', autoCapitalize: 'off', spellcheck: false }}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {hint !== undefined && (
        <small id={`${id}-hint`} class="soft">
          {hint}
        </small>
      )}
    </div>
  );
}

type SecretProps = { title: string; secret: string; copyLabel: string; note: string; onClose(): void };

/** Shows a secret once, and asks before it is closed without a copy. */
export function SecretOnce({ title, secret, copyLabel, note, onClose }: SecretProps) {
  const { t } = useI18n();
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const close = (): void => (isCopied ? onClose() : setAsking(true));
  return (
    <Dialog title={title} onClose={close}>
      <SecretToCopy
        name={title}
        secret={secret}
        copyLabel={copyLabel}
        note={note}
        onCopied={() => setCopied(true)}
      />
      <div class="actions dialog-actions">
        <button type="button" class="button button-main" onClick={close}>
          {t('people.done')}
        </button>
      </div>
      {isAsking && <SecretDialog onDiscard={onClose} onClose={() => setAsking(false)} />}
    </Dialog>
  );
}
