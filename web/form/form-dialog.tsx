import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Outcome } from '../service/outcome.ts';
import { Dialog, DialogButtons } from '../shell/dialog.tsx';
import { FormAlert, type FormError, toFormError } from './form-error.tsx';

/**
 * Sends what a dialog asks for. Holds the error, and whether a request is pending.
 *
 * @param name that the user has typed, if the dialog asks for one
 */
export function useSend(name?: string) {
  const i18n = useI18n();
  const [error, setError] = useState<FormError>();
  const [isPending, setPending] = useState(false);
  /** Returns the response, or undefined after an error. */
  async function send<Value>(request: Promise<Outcome<Value>>): Promise<Value | undefined> {
    setPending(true);
    setError(undefined);
    const outcome = await request;
    setPending(false);
    if (outcome.kind === 'DONE') return outcome.value;
    const isEmpty = outcome.kind === 'REFUSED' && outcome.code === 'INVALID_NAME' && name?.trim() === '';
    setError(isEmpty ? { field: null, text: i18n.t('people.nameMissing') } : toFormError(outcome, i18n));
    return undefined;
  }
  return { form: { error, isPending }, setError, send };
}

type Props = {
  title: string;
  /** The label of the action. Without one the user can only close the dialog. */
  action?: string | undefined;
  /** True for an action that cannot be undone. */
  isDangerous?: boolean;
  /** The label of the other button, unless it is “Cancel”. */
  keep?: string | undefined;
  isPending?: boolean;
  /** The error that is shown above the buttons. */
  error?: FormError | undefined;
  onSubmit(): void;
  onClose(): void;
  children: ComponentChildren;
};

/** Scrolls to an error, which a phone would otherwise keep below the fields. */
const showError = (error: HTMLElement | null): void => error?.scrollIntoView({ block: 'center' });

/** A dialog with a form, which Enter sends. */
export function FormDialog({ title, isPending = false, error, children, onSubmit, ...props }: Props) {
  return (
    <Dialog title={title} onClose={props.onClose}>
      <form
        class="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation(); // the dialog may be within another form
          if (!isPending && props.action !== undefined) onSubmit();
        }}
      >
        {children}
        {error && <FormAlert error={error} onShown={showError} />}
        <DialogButtons {...props} />
      </form>
    </Dialog>
  );
}
